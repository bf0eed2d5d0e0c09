import type { Command } from 'commander';
import { containerOption, define, formatOption, jsonOption, type Start, storeOption } from './define.ts';
import { asOfOption, type SelectOptions, skipDamagedOption, withSelectOptions } from './select-options.ts';
import { type WriteOptions, withWriteOptions } from './write-options.ts';

/** Options of `export`. */
export interface ExportCommandOptions extends WriteOptions, SelectOptions {
  readonly store: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly json?: boolean;
}

/** `pchronicle export`. */
export function exportCommand(start: Start): Command {
  const command = define('export', 'write trajectories of the store as files', [
    'export --to actf -o trajectories.actf.json',
    'export --to storyline --container lines --run nightly-7 -o nightly-7.jsonl',
    'export --to actf -o exported/',
    'export --to storyline --where "correct AND step_count < 20" -o good.json',
  ])
    .addOption(storeOption())
    .addOption(formatOption('--to <format>', 'format to write').makeOptionMandatory());
  withWriteOptions(withSelectOptions(command));
  return command
    .addOption(asOfOption())
    .addOption(skipDamagedOption())
    .addOption(containerOption())
    .addOption(jsonOption('print the issues on stderr as JSON objects, one a line'))
    .action((options: ExportCommandOptions, self: Command) =>
      start(self, async (context) => (await import('../work/export.ts')).exportFiles(options, context)),
    );
}
