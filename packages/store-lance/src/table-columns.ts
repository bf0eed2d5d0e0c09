import { COLUMNS } from '@pchronicle/storyline-core';
import type { Column } from './columns/column.ts';
import type { TableName } from './layout.ts';

/** The columns of the tables: the logical ones of storyline-core, in its order. */
export const tableColumns: { readonly [name in TableName]: readonly Column[] } = COLUMNS;
