import { expect, test } from 'vitest';
import { durationSeconds } from '../../src/commands/parse.ts';
import { distinctNames, isNumeric } from '../../src/query/cell.ts';
import { readTime } from '../../src/store/read-time.ts';
import { bar } from '../../src/terminal/bar.ts';

test('times: RFC 3339, days and minutes as UTC, spans back from now; nothing else', () => {
  const at = (text: string): number | undefined => {
    const time = readTime(text, Date.UTC(2026, 7, 10));
    return time === undefined ? undefined : Number(time / 1_000_000n);
  };
  expect(at('2026-08-01')).toBe(Date.UTC(2026, 7, 1));
  expect(at('2026-08-01 12:30')).toBe(Date.UTC(2026, 7, 1, 12, 30));
  expect(at('2026-08-01T12:30:15.5')).toBe(Date.UTC(2026, 7, 1, 12, 30, 15, 500));
  expect(at('2026-08-01T12:30:00+02:00')).toBe(Date.UTC(2026, 7, 1, 10, 30));
  expect(at('7d')).toBe(Date.UTC(2026, 7, 3));
  expect(at('36h')).toBe(Date.UTC(2026, 7, 8, 12));
  for (const text of ['', '7', 'd', '7y', '2026-13-01', '2026-08-01T', 'yesterday', '-7d'])
    expect(at(text), text).toBeUndefined();
});

test('spans of time in seconds', () => {
  expect(['30', '300ms', '90s', '15m', '12h', '1.5d', '2w'].map(durationSeconds)).toEqual([
    30, 0.3, 90, 900, 43_200, 129_600, 1_209_600,
  ]);
  expect(['', 's', '1 s', '-1s', '1e3'].map(durationSeconds)).toEqual(Array(5).fill(undefined));
});

test('repeated names are made distinct, and never meet another', () => {
  expect(distinctNames(['a', 'a', 'a_1', 'a', 'b'])).toEqual(['a', 'a_2', 'a_1', 'a_3', 'b']);
  expect(distinctNames(['__proto__', '__proto__'])).toEqual(['__proto__', '__proto___1']);
});

test('numeric types', () => {
  expect(
    ['BIGINT', 'UINTEGER', 'DECIMAL(5,2)', 'DOUBLE', 'HUGEINT', 'TINYINT'].filter(isNumeric),
  ).toHaveLength(6);
  expect(['VARCHAR', 'INTERVAL', 'BOOLEAN', 'INTEGER[]', 'STRUCT(a INTEGER)'].filter(isNumeric)).toEqual([]);
});

test('bars: nothing for nothing, something for anything, never more than whole', () => {
  expect([0, -1, Number.NaN].map((share) => bar(share))).toEqual(['', '', '']);
  expect([0.0001, 0.5, 1, 7].map((share) => bar(share, 4))).toEqual(['▏', '██', '████', '████']);
});
