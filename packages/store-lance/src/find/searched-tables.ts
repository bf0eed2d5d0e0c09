import type { StoreContext } from '../context.ts';
import { allOf, equals, type Filter } from '../lance/filter.ts';
import type { TableName } from '../layout.ts';
import type { FindOptions } from './options.ts';

/** The tables that the options ask for. */
export function searchedTables({ columns }: StoreContext, { tool, source }: FindOptions): TableName[] {
  // A store of layout 1.0 that nobody has written to since has no such text.
  const withStories = columns.runs.some((column) => column.name === 'search_text');
  const names: TableName[] = [];
  if (tool === undefined && source === undefined && withStories) names.push('runs');
  if (tool === undefined) names.push('steps');
  if (source === undefined) names.push('tool_calls');
  return names;
}

/** What the options ask of the rows of one table. */
export function ownCondition(name: TableName, { source, tool }: FindOptions): Filter | undefined {
  return allOf(
    name !== 'steps' || source === undefined ? undefined : equals('source', source),
    name !== 'tool_calls' || tool === undefined ? undefined : equals('function_name', tool),
  );
}
