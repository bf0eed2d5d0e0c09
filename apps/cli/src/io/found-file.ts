import { stat } from 'node:fs/promises';
import { EXIT } from '../exit.ts';
import { Failure, systemReason } from '../failure.ts';
import { keepInput } from './taken-files.ts';

/** A file that one of the arguments names. */
export interface FoundFile {
  readonly shown: string;
  readonly path: string;
  readonly root: string;
  readonly walked: boolean;
  readonly piped: boolean;
  readonly size: number;
}

/** Adds a listed file. It may be gone since, or have a name that is no Unicode text: the others are worked on. */
export async function addFound(
  file: Omit<FoundFile, 'size' | 'piped'>,
  found: FoundFile[],
  failures: Failure[],
): Promise<void> {
  try {
    const status = await stat(file.path);
    keepInput(status);
    found.push({ ...file, piped: false, size: status.size });
  } catch (error) {
    failures.push(unreadable(file.shown, error));
  }
}

/** An input that exists but cannot be read. */
export function unreadable(shown: string, error: unknown): Failure {
  return new Failure(EXIT.input, 'cli/unreadable-input', `cannot be read: ${systemReason(error)}`, {
    source: shown,
  });
}
