import { type Command, InvalidArgumentError } from 'commander';
import { type CompareOptions, withCompareOptions } from './compare-options.ts';
import { define, jsonOption, type Start } from './define.ts';

/** Options of `diff`. */
export interface DiffOptions extends CompareOptions {
  readonly json?: boolean;
  readonly sideBySide?: boolean;
  readonly context: number;
  readonly full?: boolean;
}

/** `pchronicle diff`. */
export function diffCommand(start: Start): Command {
  const command = define('diff', 'compare two trajectories: first divergence and full alignment', [
    'diff before.json after.json',
    "diff 'task.actf.json#1' 'task.actf.json#2' --side-by-side",
    'diff zt7q3k run.jsonl --ignore /turns/*/metrics',
  ])
    .argument('<left>', 'a file of any format, FILE#ID for one trajectory of several, or an id of the store')
    .argument('<right>', 'the other side, of the same or another format')
    .option('--side-by-side', 'both sides next to each other')
    .option('--context <turns>', 'equal turns shown around differences', parseCount, 2)
    .option('--full', 'show long values whole')
    .addOption(
      jsonOption('print the comparison: {"left","right","equal","first","alignment","head","counts"}'),
    );
  return withCompareOptions(command).action(
    (left: string, right: string, options: DiffOptions, self: Command) =>
      start(self, async (context) => (await import('../work/diff.ts')).diff(left, right, options, context)),
  );
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
