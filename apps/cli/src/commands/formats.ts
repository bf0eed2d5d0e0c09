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
    'formats actf',
    'formats --json',
  ])
    .argument('[format]', 'show what this one keeps, in full')
    .addOption(jsonOption('print {"formats":[…]}'))
    .action((name: string | undefined, options: FormatsOptions, command: Command) =>
      start(command, async (context) =>
        (await import('../work/formats.ts')).listFormats(name, options, context),
      ),
    );
}
