import { type Command, Option } from 'commander';
import { define, jsonOption, type Start, storeOption } from './define.ts';
import { parseCount } from './parse.ts';
import { asOfOption, type SelectOptions, skipDamagedOption, withSelectOptions } from './select-options.ts';

/** Options of `find`. */
export interface FindCommandOptions extends SelectOptions {
  readonly store: string;
  readonly tool?: string;
  readonly src?: string;
  readonly since?: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly any?: boolean;
  readonly limit: number;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** `pchronicle find`. */
export function findCommand(start: Start): Command {
  const command = define('find', 'full text search in messages, reasoning, arguments, results and prompts', [
    'find "permission denied"',
    'find 大区 --src agent',
    'find timeout --tool bash --since 7d --json',
  ])
    .argument('<text...>', 'words to look for; all must stand in the same turn or call')
    .addOption(storeOption());
  return withSelectOptions(command)
    .addOption(new Option('--tool <name>', 'only in calls of this tool').conflicts('src'))
    .option('--src <source>', 'only in turns of this source: user, agent, …')
    .option('--since <time>', 'only in trajectories that lasted until then or later: 2026-08-01, or 7d')
    .option('--any', 'any of the words is enough')
    .addOption(asOfOption())
    .addOption(skipDamagedOption())
    .addOption(
      new Option('-n, --limit <count>', 'show at most that many, the best first')
        .argParser(parseCount)
        .default(20),
    )
    .addOption(jsonOption('print {"query","matches":[…]}'))
    .addOption(new Option('--jsonl', 'print one object a match').conflicts('json'))
    .action((words: string[], options: FindCommandOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/find.ts')).find(words.join(' '), options, context),
      ),
    );
}
