import { InvalidArgumentError } from 'commander';

/** A count from 1 on. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.');
  return Number(text);
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
]);

/** A span of time in seconds: `30`, `90s`, `15m`, `12h`, `7d`, `2w`; a number alone is seconds. */
export function parseDuration(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('It must look like 30, 90s, 15m, 12h or 7d.');
  return seconds;
}

/** An age in seconds, `7d`: the unit has to be there, as a mistaken one costs data; `0` needs none. */
export function parseAge(text: string): number {
  const seconds = /^0+$|[a-z]$/.test(text) ? durationSeconds(text) : undefined;
  if (seconds === undefined)
    throw new InvalidArgumentError('It needs a unit and must look like 90s, 15m, 12h, 7d or 2w.');
  return seconds;
}

/** The same as {@link parseDuration}, for text that may be something else. */
export function durationSeconds(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(ms|[smhdw])?$/.exec(text);
  const unit = UNITS.get(match?.[2] ?? 's');
  return match?.[1] === undefined || unit === undefined ? undefined : Number(match[1]) * unit;
}

/** A size of memory, as DuckDB takes it: `512MB`, `4GB`, `1GiB`. */
export function parseMemory(text: string): string {
  if (!/^\d{1,9}(\.\d{1,6})? ?([kmgt]i?b)$/i.test(text))
    throw new InvalidArgumentError('It must look like 512MB or 4GB.');
  return text.replace(' ', '');
}

/** One share of several, as `import --share 1/4` names it. */
export interface Share {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** `i/n`, with i from 1 to n. */
export function parseShare(text: string): Share {
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text);
  const index = Number(match?.[1]);
  const count = Number(match?.[2]);
  if (match === null || index < 1 || index > count)
    throw new InvalidArgumentError('It must look like 1/4: which share of how many, counted from 1.');
  return { index, count };
}
