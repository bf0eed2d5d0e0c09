import { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { ALL_FORMAT_NAMES } from '../format-names.ts';

/** Runs the work of a command with its context; main.ts supplies it. */
export type Start = (command: Command, work: (context: Context) => Promise<void>) => Promise<void>;

/** Makes one command of the program; the table in table.ts lists them all. */
export type MakeCommand = (start: Start) => Command;

/** A command with its summary, and examples that its help shows first. */
export function define(name: string, summary: string, examples: readonly string[]): Command {
  const shown = examples.map((example) => `  $ pchronicle ${example}\n`).join('');
  const command = new Command(name).description(summary);
  if (examples.length > 0) command.addHelpText('before', `Examples:\n${shown}`);
  return command;
}

/** `--json` with what it prints. */
export function jsonOption(what: string): Option {
  return new Option('--json', what);
}

/** `--store URI` (default `./trajectories`, or PCHRONICLE_STORE). */
export function storeOption(): Option {
  return new Option('--store <uri>', 'the store: a folder, s3://, az:// or gs://')
    .env('PCHRONICLE_STORE')
    .default('./trajectories');
}

/** Adds the options of every command that reads inputs: `--format` (also `--from`), `--base`, `--allow-nan`. */
export function withReadOptions(command: Command): Command {
  return command
    .addOption(formatOption('--format <format>', 'read the inputs as this format instead of detecting it'))
    .addOption(formatOption('--from <format>', 'the same as --format').conflicts('format'))
    .option('--base <folder>', 'folder that document names are relative to (default: the working directory)')
    .option('--allow-nan', 'read NaN and Infinity as null, with one warning each')
    .addOption(compatOption());
}

/** `--compat`: behave as the format's own tool does. */
export function compatOption(): Option {
  return new Option('--compat', 'read and write as the tool of the format does (Forkline), faults included');
}

/** An option that takes a format's name; completion offers the names, a wrong one is answered with the nearest. */
export function formatOption(flags: string, description: string): Option {
  return Object.assign(new Option(flags, description), { suggestions: ALL_FORMAT_NAMES });
}

/** `--container document|array|lines`. */
export function containerOption(): Option {
  return new Option('--container <kind>', 'how several documents lie in one file').choices([
    'document',
    'array',
    'lines',
  ]);
}
