import { type Command, InvalidArgumentError } from 'commander';
import type { TurnRange } from '../show/turn-range.ts';
import { define, jsonOption, type Start, storeOption } from './define.ts';
import { asOfOption, skipDamagedOption } from './select-options.ts';

/** Options of `show`. */
export interface ShowOptions {
  readonly store: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly turns?: TurnRange;
  readonly raw?: boolean;
  readonly full?: boolean;
  readonly json?: boolean;
  readonly pager?: boolean;
}

/** `pchronicle show`. */
export function showCommand(start: Start): Command {
  return define('show', 'show one trajectory for reading: turns, reasoning, calls, results, metrics', [
    'show sessions-7',
    'show sessions-7 --turns 10-20',
    'show sessions-7 --raw > one.storyline.json',
  ])
    .argument('<id>', 'document id, document key, session or run (or the beginning of a key)')
    .addOption(storeOption())
    .addOption(asOfOption())
    .addOption(skipDamagedOption())
    .option('--turns <range>', 'only these turns, counted from 1: 7, 10-20, 10-, -20', parseRange)
    .option('--full', 'show long texts whole')
    .option('--raw', 'print the Storyline as it is stored, as JSON')
    .addOption(jsonOption('print the run as `ls --json` lists it, with its Storyline: {"run","storyline"}'))
    .option('--no-pager', 'do not page the text')
    .action((id: string, options: ShowOptions, self: Command) =>
      start(self, async (context) => (await import('../work/show.ts')).show(id, options, context)),
    );
}

function parseRange(text: string): TurnRange {
  const match = /^(\d{0,9})(-?)(\d{0,9})$/.exec(text);
  const first = match?.[1] ?? '';
  const dash = match?.[2] ?? '';
  const last = match?.[3] ?? '';
  if (match === null || (first === '' && last === '')) {
    throw new InvalidArgumentError('It must look like 7, 10-20, 10- or -20.');
  }
  const from = first === '' ? 1 : Number(first);
  const to = dash === '' ? from : last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (from < 1 || to < from)
    throw new InvalidArgumentError('Turns are counted from 1, the smaller one first.');
  return { from, to };
}
