/** The three tables of a store. */
export const TABLE_NAMES = ['tool_calls', 'steps', 'runs'] as const;

/** Name of a table of the store. */
export type TableName = (typeof TABLE_NAMES)[number];

/** Version of the tables' layout, `major.minor`. A minor step only adds nullable columns; a major one changes what columns mean. */
export const LAYOUT_VERSION = '1.1';

/** Key of the schema metadata that holds the layout version in each table. */
export const LAYOUT_KEY = 'pchronicle.layout';

/** Reads a layout version; `undefined` when the text is none. */
export function parseLayout(
  text: string | undefined,
): { readonly major: number; readonly minor: number } | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})$/.exec(text ?? '');
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) };
}
