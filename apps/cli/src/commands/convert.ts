import type { Command } from 'commander';
import { containerOption, define, formatOption, jsonOption, type Start, withReadOptions } from './define.ts';
import type { ReadOptions } from './read-options.ts';
import { type WriteOptions, withWriteOptions } from './write-options.ts';

/** Options of `convert`. */
export interface ConvertOptions extends ReadOptions, WriteOptions {
  readonly salvage?: boolean;
  readonly rejects?: string;
  readonly json?: boolean;
}

/** `pchronicle convert`. */
export function convertCommand(start: Start): Command {
  const command = define('convert', 'convert files from one format to another, streaming', [
    'convert trajectories.json --to storyline -o trajectories.storyline.json',
    'convert logs/ --to actf -o converted/ --losses losses.jsonl',
    'convert run.json --to storyline --container lines | head -1',
    'convert run.storyline.json --to actf --carry -o run.actf.json   # the way back is exact',
  ])
    .argument('<inputs...>', 'files, folders, globs, or - for standard input')
    .addOption(formatOption('--to <format>', 'format to write').makeOptionMandatory());
  withWriteOptions(command);
  return withReadOptions(command)
    .option('--salvage', 'keep the good records of a bad document, with an issue for each other one')
    .option('--rejects <file>', 'write what was rejected there, byte for byte as it was')
    .addOption(containerOption())
    .addOption(jsonOption('print the issues on stderr as JSON objects, one a line'))
    .action((inputs: string[], options: ConvertOptions, self: Command) =>
      start(self, async (context) => (await import('../work/convert.ts')).convert(inputs, options, context)),
    );
}
