import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from '../../src/terminal/numbers.ts';
import { progressState } from '../../src/terminal/progress.ts';
import { clip, safeJson, safeLine, safeText } from '../../src/terminal/safe.ts';
import { createStyle, wantsColor } from '../../src/terminal/style.ts';
import { formatTable } from '../../src/terminal/table.ts';
import { cutToWidth, displayWidth, fitWidths } from '../../src/terminal/width.ts';

const plain = createStyle(false);

test('control characters are shown, not sent', () => {
  expect(safeLine('a\nb\tc\u001b[31m\u0085')).toBe('a\\nb\\tc\\u001b[31m\\u0085');
  expect(safeText('a\r\nb\tc\u001b[31m\rd')).toBe('a\nb\tc\\u001b[31m\\rd');
  expect(safeLine('日本語 😀 é')).toBe('日本語 😀 é');
});

test('escapes in JSON say the same', () => {
  const text = JSON.stringify({ a: '\u009b31m\u2028\u202e' });
  expect(safeJson(text)).toBe('{"a":"\\u009b31m\\u2028\\u202e"}');
  expect(JSON.parse(safeJson(text))).toEqual(JSON.parse(text));
});

test('text is clipped between characters', () => {
  expect(clip('abc', 3)).toBe('abc');
  expect(clip('abcd', 3)).toBe('ab…');
  expect(clip('a😀bc', 3)).toBe('a…');
});

test('wide characters take two columns, and are cut whole', () => {
  expect(displayWidth('日本')).toBe(4);
  expect(displayWidth('😀')).toBe(2);
  expect(cutToWidth('日本語', 5)).toBe('日本…');
  expect(cutToWidth('日本語', 4)).toBe('日…');
});

test('columns give way, the widest first, never below their least width', () => {
  expect(fitWidths([10, 30, 5], [4, 4, undefined], 30)).toEqual([10, 15, 5]);
  expect(fitWidths([10, 30, 5], [8, 8, undefined], 10)).toEqual([8, 8, 5]);
  expect(fitWidths([3, 4], [1, 1], 80)).toEqual([3, 4]);
});

test('a table lines up wide characters and fits the terminal', () => {
  const rows = [
    { name: '任务一😀', count: 7 },
    { name: 'a-very-long-name-that-goes-on', count: 1_234 },
  ];
  const text = formatTable(
    rows,
    [
      { title: 'NAME', min: 6, text: ({ name }) => name },
      { title: 'COUNT', align: 'right', text: ({ count }) => String(count) },
    ],
    20,
    plain,
  );
  expect(text.split('\n')).toEqual(['NAME           COUNT', '任务一😀           7', 'a-very-long-…   1234']);
  for (const line of text.split('\n')) expect(displayWidth(line)).toBe(20);
});

test('a table of ten thousand rows has every row once', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => index);
  const text = formatTable(
    rows,
    [
      { title: 'A', text: (row) => `row ${row}` },
      { title: 'B', align: 'right', text: (row) => String(row) },
    ],
    Number.POSITIVE_INFINITY,
    plain,
  );
  const lines = text.split('\n');
  expect(lines).toHaveLength(10_001);
  expect(lines[0]).toBe('A            B');
  expect(lines[10_000]).toBe('row 9999  9999');
});

test('cells with control characters cannot break a table', () => {
  const text = formatTable(['a\nb\u001b[1m'], [{ title: 'X', text: (row) => row }], 80, plain);
  expect(text).toBe('X\na\\nb\\u001b[1m');
});

test('bytes and durations for a person', () => {
  expect([0, 999, 1_000, 9_960, 12_345_678, 4.2e9].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '10 kB',
    '12 MB',
    '4.2 GB',
  ]);
  expect([0.0123, 12.34, 245, 7_620].map(formatDuration)).toEqual(['12 ms', '12.3 s', '4m 05s', '2h 07m']);
});

test('a progress line has a bar, the share, the rate, the time left and counts', () => {
  const options = { label: 'importing', total: 100_000_000, unit: 'bytes' } as const;
  expect(progressState(25_000_000, 2, '40 trajectories', options)).toBe(
    `${'█'.repeat(6)}${'░'.repeat(18)} 25% | 13 MB/s | ETA 6.0 s | 40 trajectories`,
  );
  expect(progressState(50, 2, '50 done', { label: 'x', total: 0, unit: 'items' })).toBe(
    '50 | 25/s | 50 done',
  );
});

test('colours: a terminal unless the user says otherwise', () => {
  const terminal = { isTTY: true };
  expect(wantsColor(terminal, true, {})).toBe(true);
  expect(wantsColor({}, true, {})).toBe(false);
  expect(wantsColor(terminal, false, {})).toBe(false);
  expect(wantsColor(terminal, true, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColor(terminal, true, { NO_COLOR: '' })).toBe(true);
  expect(wantsColor(terminal, true, { TERM: 'dumb' })).toBe(false);
  expect(wantsColor({}, true, { FORCE_COLOR: '1' })).toBe(true);
});
