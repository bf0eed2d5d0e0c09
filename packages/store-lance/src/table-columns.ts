import { COLUMNS } from '@pchronicle/storyline-core';
import type { Column } from './columns/column.ts';
import type { TableName } from './layout.ts';

/** Plain text, because full text over JSON misses words that follow an escape (`"\\nneedle"` is found as `nneedle`). */
const searchText: Column = { name: 'search_text', type: 'utf8', nullable: true };

/** The columns of the tables: the logical ones of storyline-core, in its order, and what only the store needs. */
export const tableColumns: { readonly [name in TableName]: readonly Column[] } = {
  // Since layout 1.1.
  runs: [...COLUMNS.runs, searchText],
  steps: [...COLUMNS.steps, searchText],
  tool_calls: [...COLUMNS.tool_calls, searchText],
};
