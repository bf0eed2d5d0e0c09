import type { Command } from 'commander';
import { define, jsonOption, type Start } from './define.ts';

/** Options of `detect`. */
export interface DetectOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** `pchronicle detect`. */
export function detectCommand(start: Start): Command {
  return define('detect', 'tell the format of files: container, records, confidence and why', [
    'detect trajectories.json',
    'detect logs/ --json',
    'detect - < unknown.jsonl',
  ])
    .argument('<inputs...>', 'files, folders, globs, or - for standard input')
    .addOption(jsonOption('print {"files":[{"file","format","container","records","confidence","why"}]}'))
    .option('--jsonl', 'print one object a file, as they are read')
    .action((inputs: string[], options: DetectOptions, self: Command) =>
      start(self, async (context) => (await import('../work/detect.ts')).detect(inputs, options, context)),
    );
}
