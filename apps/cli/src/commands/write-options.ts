import { type Command, InvalidArgumentError } from 'commander';

/** Options of every command that writes a format. */
export interface WriteOptions {
  readonly to: string;
  readonly output?: string;
  readonly container?: 'document' | 'array' | 'lines';
  readonly overwrite?: boolean;
  readonly losses?: string;
  readonly strict?: boolean;
  readonly carry?: boolean;
  readonly indent?: number;
}

/** Adds `-o`, `--overwrite`, `--losses`, `--strict`, `--carry`, `--indent`. */
export function withWriteOptions(command: Command): Command {
  return command
    .option(
      '-o, --output <path>',
      'file to write, or a folder (one file a document); default: standard output',
    )
    .option('--overwrite', 'replace output files that exist')
    .option('--losses <file>', 'write what the target cannot express there, as JSON Lines')
    .option('--strict', 'exit with 1 if anything was lost')
    .option('--carry', 'take along what the target cannot express, so that the way back is exact')
    .option('--indent <spaces>', 'indent the JSON by that many spaces (0 to 10)', parseIndent);
}

function parseIndent(text: string): number {
  if (!/^(\d|10)$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 10.');
  return Number(text);
}
