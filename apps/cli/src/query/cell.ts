import type { SqlCell } from '@pchronicle/store-lance/sql';

/** A cell as JSON, no digit lost: large integers are JSON numbers, NaN and infinities (which JSON has not) are text. */
export function cellJson(cell: SqlCell): string {
  if (cell === null) return 'null';
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell === 'number') {
    if (Object.is(cell, -0)) return '-0';
    return Number.isFinite(cell) ? String(cell) : JSON.stringify(String(cell));
  }
  if (typeof cell === 'boolean' || typeof cell === 'string') return JSON.stringify(cell);
  if (isList(cell)) return `[${cell.map(cellJson).join(',')}]`;
  const fields = Object.entries(cell).map(([name, value]) => `${JSON.stringify(name)}:${cellJson(value)}`);
  return `{${fields.join(',')}}`;
}

/** A cell as plain text: text as it is, nested values as JSON; null has none. */
export function cellText(cell: SqlCell): string | null {
  if (cell === null) return null;
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return Object.is(cell, -0) ? '-0' : String(cell);
  return cellJson(cell);
}

/** A row as a JSON object. */
export function rowJson(names: readonly string[], row: readonly SqlCell[]): string {
  return `{${names.map((name, index) => `${JSON.stringify(name)}:${cellJson(row[index] ?? null)}`).join(',')}}`;
}

/** Names that are all different: a repeated one gets `_1`, `_2` …, as DuckDB does in subqueries. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    let count = 1;
    while (taken.has(`${name}_${count}`)) count += 1;
    const distinct = `${name}_${count}`;
    taken.add(distinct);
    return distinct;
  });
}

/** Whether a column of this DuckDB type holds numbers. */
export function isNumeric(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/i.test(type);
}

function isList(cell: SqlCell): cell is readonly SqlCell[] {
  return Array.isArray(cell);
}
