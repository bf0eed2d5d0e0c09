import { realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// One command runs in a process: what it reads, and what it writes, is known here to every output it has.
const inputs = new Set<string>();
const outputs = new Set<string>();

/** Remembers a file that the command reads: no output may replace it, by whatever name. */
export function keepInput(status: Pick<Stats, 'dev' | 'ino'>): void {
  inputs.add(identityOf(status));
}

/** Whether the command reads this file: by device and inode, so that links count too. */
export function isInput(status: Pick<Stats, 'dev' | 'ino'>): boolean {
  return inputs.has(identityOf(status));
}

/** Takes the path of an output file; false when another output of the command has it already. */
export function takeOutput(path: string): boolean {
  const place = placeOf(path);
  if (outputs.has(place)) return false;
  outputs.add(place);
  return true;
}

/** Gives the path of an output back that was not written after all. */
export function releaseOutput(path: string): void {
  outputs.delete(placeOf(path));
}

function identityOf({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

function placeOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
