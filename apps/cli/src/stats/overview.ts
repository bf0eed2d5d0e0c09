import type { SqlCell, StatsResult } from '@pchronicle/store-lance/sql';
import { cellText } from '../query/cell.ts';
import { bar } from '../terminal/bar.ts';
import { countOf, formatCount } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';

/** The overview as lines: what is there, how it ended, when it was. */
export function overviewText({ columns, rows }: StatsResult): string {
  const cell = (name: string): SqlCell =>
    rows[0]?.[columns.findIndex((column) => column.name === name)] ?? null;
  const number = (name: string): number => Number(cell(name) ?? 0);
  const count = (name: string): string => formatCount(number(name));
  const known = (name: string): boolean => cell(name) !== null;
  const share = (part: string, whole: string): number =>
    number(whole) === 0 ? 0 : number(part) / number(whole);
  const lines: (readonly [string, string])[] = [
    [
      'trajectories',
      `${count('storylines')}, of ${countOf(number('tasks'), 'task')}, from ${countOf(number('sources'), 'source')}`,
    ],
    ['steps', count('steps')],
    [
      'tool calls',
      `${count('tool_calls')}, ${count('failed_tool_calls')} failed${barred(share('failed_tool_calls', 'tool_calls'))}`,
    ],
  ];
  if (known('prompt_tokens') || known('completion_tokens'))
    lines.push(['tokens', `${count('prompt_tokens')} in, ${count('completion_tokens')} out`]);
  lines.push([
    'judged',
    `${count('judged')}, ${count('correct')} correct${barred(share('correct', 'judged'))}`,
  ]);
  if (known('first_time')) lines.push(['first', time(cell('first_time'))], ['last', time(cell('last_time'))]);
  return lines.map(([title, text]) => `${title.padEnd(12)}  ${text}`).join('\n');
}

function barred(share: number): string {
  return share === 0 ? '' : ` (${percent(share)})  ${bar(share)}`;
}

/** A share as a percentage: `66.7%`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

function time(cell: SqlCell): string {
  return safeLine((cellText(cell) ?? '').replace(/^(.{10})T(.{8}).*$/, '$1 $2'));
}
