import type { View } from '@pchronicle/storyline-core';
import { type Command, Option } from 'commander';
import { define, jsonOption, type Start, storeOption, withReadOptions } from './define.ts';
import type { ReadOptions } from './read-options.ts';

/** Options of `project`. */
export interface ProjectOptions extends ReadOptions {
  readonly store: string;
  readonly view: View;
  readonly leaf?: string;
  readonly aliasScope: 'document' | 'turn';
  readonly aliasPrefix?: string;
  readonly orphans?: 'keep' | 'drop' | 'report';
  readonly duplicates?: 'keep' | 'first' | 'report';
  readonly unanswered?: 'keep' | 'drop' | 'report';
  readonly json?: boolean;
}

// Named here so that `--help` does not load the core.
const VIEWS = ['audit', 'leaf', 'context', 'provider', 'model'] as const satisfies readonly View[];

/** `pchronicle project`. */
export function projectCommand(start: Start): Command {
  const command = define('project', 'show what a model would see of a trajectory, as ChatML', [
    'project my-task',
    'project run.json --view provider',
    "project 'task.actf.json#2' --alias-scope turn --json",
    'project page-*.json --view context',
  ])
    .argument(
      '<trajectory...>',
      'a file of any format, FILE#ID for one trajectory of several, or an id of the store; several files are pages of one conversation or job',
    )
    .addOption(
      new Option('--view <view>', 'all turns, one branch, its context, strictly paired, or ids hidden')
        .choices(VIEWS)
        .default('model'),
    )
    .option('--leaf <row>', 'row at which the branch ends (default: the newest leaf)')
    .addOption(
      new Option('--alias-scope <scope>', 'where call numbers start anew')
        .choices(['document', 'turn'])
        .default('document'),
    )
    .option('--alias-prefix <text>', 'text before call numbers (default: call_)')
    .addOption(
      new Option(
        '--orphans <policy>',
        'results without a call before them, and calls that were never finished',
      ).choices(['keep', 'drop', 'report']),
    )
    .addOption(
      new Option('--duplicates <policy>', 'calls and results said twice').choices([
        'keep',
        'first',
        'report',
      ]),
    )
    .addOption(
      new Option('--unanswered <policy>', 'calls without a result').choices(['keep', 'drop', 'report']),
    )
    .addOption(jsonOption('print the ChatML document on one line instead of indented'))
    .addOption(storeOption());
  return withReadOptions(command).action((trajectory: string[], options: ProjectOptions, self: Command) =>
    start(self, async (context) =>
      (await import('../work/project.ts')).project(trajectory, options, context),
    ),
  );
}
