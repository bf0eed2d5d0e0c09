/** Text in which nothing is a parameter (strings, names, comments), or a parameter. */
const PIECE =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|(\?\d*|\$\w+)/gu;

/** The first parameter of a statement that has one, and where it stands, in bytes of UTF-8 as DuckDB counts. */
export function findParameter(sql: string): { readonly name: string; readonly offset?: number } {
  for (const { 2: name, index } of sql.matchAll(PIECE))
    if (name !== undefined) return { name, offset: Buffer.byteLength(sql.slice(0, index)) };
  return { name: '?' };
}
