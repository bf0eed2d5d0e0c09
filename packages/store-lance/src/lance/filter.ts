declare const filterBrand: unique symbol;

/** A condition of a Lance scan. Made only by the functions of this file, so that nothing is ever pasted into SQL unescaped. */
export type Filter = string & { readonly [filterBrand]: true };

/** A value a filter compares with. */
export type FilterValue = string | number | bigint | boolean;

/** Writes a value as a literal: Lance has no query parameters. */
export function literal(value: FilterValue): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`a filter cannot compare with ${value}`);
  return String(value);
}

function column(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new RangeError(`"${name}" is not the name of a column`);
  return `\`${name}\``;
}

/** `column = value`. */
export function equals(name: string, value: FilterValue): Filter {
  return `${column(name)} = ${literal(value)}` as Filter;
}

/** `column IN (values)`; no values match nothing. */
export function oneOf(name: string, values: readonly FilterValue[]): Filter {
  if (values.length === 0) return 'false' as Filter;
  return `${column(name)} IN (${values.map(literal).join(', ')})` as Filter;
}

/** `column >= value`, `<`, and the like. */
export function compares(name: string, operator: '<' | '<=' | '>' | '>=', value: FilterValue): Filter {
  return `${column(name)} ${operator} ${literal(value)}` as Filter;
}

/** `column >= time`, with a time in nanoseconds UTC. */
export function comparesTime(name: string, operator: '<' | '<=' | '>' | '>=', nanoseconds: bigint): Filter {
  return `${column(name)} ${operator} arrow_cast(${nanoseconds}, 'Timestamp(Nanosecond, Some("UTC"))')` as Filter;
}

/** The text of a column holds another, letter by letter. */
export function contains(name: string, part: string): Filter {
  return `contains(${column(name)}, ${literal(part)})` as Filter;
}

/** The same without regard to case, for a part of small letters of ASCII. */
export function containsLowered(name: string, part: string): Filter {
  return `contains(lower(${column(name)}), ${literal(part)})` as Filter;
}

/** The text of a column matches a regular expression of Rust somewhere. */
export function matches(name: string, pattern: string): Filter {
  return `regexp_like(${column(name)}, ${literal(pattern)})` as Filter;
}

/** There is a value. */
export function notNull(name: string): Filter {
  return `${column(name)} IS NOT NULL` as Filter;
}

/** All of the conditions hold; `undefined` ones are left out. */
export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  return given.length === 0 ? undefined : (given.map((filter) => `(${filter})`).join(' AND ') as Filter);
}

/** At least one of the conditions holds. */
export function anyOf(...filters: readonly Filter[]): Filter {
  return filters.length === 0
    ? ('false' as Filter)
    : (filters.map((filter) => `(${filter})`).join(' OR ') as Filter);
}
