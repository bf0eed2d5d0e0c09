import type { TableName } from '../layout.ts';

const COMMON = ['document_key', 'ingest_id', 'document_id', 'session_id', 'run_id', 'search_text', '_score'];
/** What a search reads of each table. */
export const SEARCH_COLUMNS: { readonly [name in TableName]: readonly string[] } = {
  runs: COMMON,
  steps: [...COMMON, 'step_id', 'turn_ordinal', 'source'],
  tool_calls: [...COMMON, 'step_id', 'turn_ordinal', 'function_name', 'tool_call_id', 'call_index'],
};

/** The same without the index, which gives the score. */
export function scannedColumns(name: TableName): string[] {
  return SEARCH_COLUMNS[name].filter((column) => column !== '_score');
}
