import type { Command } from 'commander';
import { define, jsonOption, type Start } from './define.ts';

/** Options of `formats`. */
export interface FormatsOptions {
  readonly json?: boolean;
}

/** `pchronicle formats`. */
export function formatsCommand(start: Start): Command {
  return define('formats', 'list the formats: what each reads, writes and keeps', [
    'formats',
    'formats --json',
  ])
    .addOption(jsonOption('print {"formats":[…]}'))
    .action((options: FormatsOptions, command: Command) =>
      start(command, async (context) => (await import('../work/formats.ts')).listFormats(options, context)),
    );
}
