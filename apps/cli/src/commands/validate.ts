import type { Command } from 'commander';
import { define, jsonOption, type Start, withReadOptions } from './define.ts';
import type { ReadOptions } from './read-options.ts';

/** Options of `validate`. */
export interface ValidateOptions extends ReadOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** `pchronicle validate`. */
export function validateCommand(start: Start): Command {
  const command = define('validate', 'check files and show every issue with its place; nothing is written', [
    'validate trajectories.json',
    'validate logs/ --json',
    'validate rows.jsonl --format openai-msg',
  ])
    .argument('<inputs...>', 'files, folders, globs, or - for standard input')
    .addOption(jsonOption('print {"files":[{"file","format","records","issues"}],"summary"}'))
    .option('--jsonl', 'print one issue a line, as they are found');
  return withReadOptions(command).action((inputs: string[], options: ValidateOptions, self: Command) =>
    start(self, async (context) => (await import('../work/validate.ts')).validate(inputs, options, context)),
  );
}
