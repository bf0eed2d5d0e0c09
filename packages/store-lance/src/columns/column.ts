import type { Cell } from '@pchronicle/storyline-core';

export type { Cell, Column, ColumnType } from '@pchronicle/storyline-core';

/** One row, by column name; a missing column is null. */
export type Row = { readonly [column: string]: Cell | undefined };
