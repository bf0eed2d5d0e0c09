import type { Command } from 'commander';
import { define, jsonOption, type Start, storeOption, withReadOptions } from './define.ts';
import { parseShare, type Share } from './parse.ts';
import type { ReadOptions } from './read-options.ts';

/** Options of `import`. */
export interface ImportCommandOptions extends ReadOptions {
  readonly store: string;
  readonly rejects?: string;
  readonly overwrite?: boolean;
  readonly source?: string;
  readonly dryRun?: boolean;
  readonly skipCopies?: boolean;
  readonly share?: Share;
  readonly salvage?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** `pchronicle import`. */
export function importCommand(start: Start): Command {
  const command = define('import', 'import files into the store; the same again changes nothing', [
    'import trajectories.json',
    'import logs/ --store ./trajectories --rejects rejects.jsonl',
    'import run.json --dry-run',
    'import nightly.jsonl --source nightly',
  ]).argument('<inputs...>', 'files, folders, globs, or - for standard input');
  return withReadOptions(command.addOption(storeOption()))
    .option('--source <name>', 'identity of the source, instead of its real path')
    .option('--dry-run', 'show what would happen and change nothing')
    .option('--rejects <file>', 'write what was rejected there, byte for byte as it was')
    .option('--overwrite', 'replace the rejects file if it exists')
    .option('--skip-copies', 'leave out documents whose content another source has already brought')
    .option('--share <i/n>', 'only share i of n, so that n processes import one input together', parseShare)
    .option('--salvage', 'keep the good records of a bad document, with an issue for each other one')
    .option('--strict', 'exit with 1 on warnings too')
    .addOption(jsonOption('print {"store","documents","rows","bytes","seconds","issues"}'))
    .action((inputs: string[], options: ImportCommandOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/import.ts')).importFiles(inputs, options, context),
      ),
    );
}
