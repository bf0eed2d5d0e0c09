import { expect, test } from 'vitest';
import { safeRelativePath, uniqueNames, withoutExtension } from '../../src/io/file-name.ts';
import { distinctNames, inputName } from '../../src/io/input-name.ts';

test('a name is the path relative to the base, with forward slashes', () => {
  expect(inputName('/home/me/logs/a/x.json', '/home/me', '/home/me/logs')).toBe('logs/a/x.json');
  expect(inputName('/home/me/x.json', '/home/me', '/home/me')).toBe('x.json');
});

test('a path outside the base counts from its own folder: never absolute, never with ..', () => {
  expect(inputName('/data/x.json', '/home/me', '/data')).toBe('x.json');
  expect(inputName('/data/logs/a/x.json', '/home/me', '/data/logs')).toBe('a/x.json');
  expect(inputName('/home/other/x.json', '/home/me', '/home/other')).toBe('x.json');
  // A folder whose name begins with two dots is not outside.
  expect(inputName('/home/me/..x/y.json', '/home/me', '/home/me/..x')).toBe('..x/y.json');
});

test('inputs that would share a name get parent folders in front until they differ', () => {
  const named = [
    { name: 'x.json', path: '/a/one/x.json' },
    { name: 'x.json', path: '/b/one/x.json' },
    { name: 'y.json', path: '/b/one/y.json' },
  ];
  expect(distinctNames(named)).toEqual(['a/one/x.json', 'b/one/x.json', 'y.json']);
});

test.each([
  ['../../etc/passwd', 'etc/passwd'],
  ['/etc/passwd', 'etc/passwd'],
  ['a/./b/../c', 'a/b/c'],
  ['.ssh/config', 'ssh/config'],
  ['con/aux.json', '_con/_aux.json'],
  ['a\u0000b\u001b[31m', 'a_b_[31m'],
  ['c:\\windows\\x', 'c__windows_x'],
  ['\u202egnp.exe', '_gnp.exe'],
  ['', 'trajectory'],
  ['...', 'trajectory'],
  ['任务/一', '任务/一'],
])('a file name that data chose stays inside its folder: %j', (name, expected) => {
  expect(safeRelativePath(name)).toBe(expected);
});

test('a file name that data chose is short enough for a file system, in whole characters', () => {
  const path = safeRelativePath('é😀'.repeat(500));
  expect(Buffer.byteLength(path)).toBeLessThanOrEqual(180);
  expect(Buffer.byteLength(path)).toBeGreaterThan(170);
  expect(path.isWellFormed()).toBe(true);
});

test('the longest matching ending is taken off', () => {
  expect(withoutExtension('runs/a.actf.json', ['.json', '.actf.json'])).toBe('runs/a');
  expect(withoutExtension('runs/a.JSON', ['.json', '.actf.json'])).toBe('runs/a');
  expect(withoutExtension('.json', ['.json'])).toBe('.json');
});

test('names are given once, whatever their case', () => {
  const unique = uniqueNames();
  expect(['a', 'a', 'A', 'a-2', 'b'].map(unique)).toEqual(['a', 'a-2', 'A-3', 'a-2-2', 'b']);
});
