import { type Command, Option } from 'commander';
import { define, jsonOption, type Start, storeOption } from './define.ts';
import { parseCount } from './parse.ts';
import { asOfOption, type SelectOptions, skipDamagedOption, withSelectOptions } from './select-options.ts';

/** Options of `ls`. */
export interface LsOptions extends SelectOptions {
  readonly store: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly limit?: number;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** `pchronicle ls`. */
export function lsCommand(start: Start): Command {
  const command = define('ls', 'list the trajectories of the store', [
    'ls',
    'ls --run nightly-7 --limit 20',
    'ls --json',
  ])
    .alias('list')
    .addOption(storeOption());
  return withSelectOptions(command)
    .addOption(asOfOption())
    .addOption(skipDamagedOption())
    .option('-n, --limit <count>', 'show at most that many', parseCount)
    .addOption(jsonOption('print {"runs":[…]}'))
    .addOption(new Option('--jsonl', 'print one object a trajectory').conflicts('json'))
    .action((options: LsOptions, self: Command) =>
      start(self, async (context) => (await import('../work/ls.ts')).listRuns(options, context)),
    );
}
