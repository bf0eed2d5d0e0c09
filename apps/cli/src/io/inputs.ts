import { fstatSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { EXIT } from '../exit.ts';
import { Failure, systemCode } from '../failure.ts';
import { didYouMean } from '../suggest.ts';
import { expandFolder } from './expand-folder.ts';
import { expandGlob } from './expand-glob.ts';
import { type FoundFile, unreadable } from './found-file.ts';
import { distinctNames, inputName } from './input-name.ts';
import { keepInput } from './taken-files.ts';

/** One input to read. */
export interface Input {
  /** Path as the user gave it (or as the walk found it under what the user gave); `-` is standard input. */
  readonly shown: string;
  /** Absolute path; `undefined` for standard input. */
  readonly path: string | undefined;
  /** Name in documents: relative to the base, never absolute, no `..`. */
  readonly name: string;
  /** Found by walking a folder, not named by the user. */
  readonly walked: boolean;
  /** A pipe (`<(…)`, a FIFO, standard input): it can be read once, from front to back. */
  readonly piped: boolean;
  readonly size: number;
}

/** All inputs of a command, and what could not be used. */
export interface InputList {
  readonly inputs: readonly Input[];
  readonly failures: readonly Failure[];
  /** Bytes of all inputs whose size is known. */
  readonly bytes: number;
}

/** How inputs are looked for. */
export interface InputOptions {
  readonly cwd: string;
  /** Folder that names are relative to; default the working directory. */
  readonly base?: string;
  /** Endings (lower case) of the files that a walk takes. */
  readonly extensions: readonly string[];
}

/** Expands what the user named: files, folders (walked), globs, `-`; each file once, sorted within a folder or glob. */
export async function listInputs(arguments_: readonly string[], options: InputOptions): Promise<InputList> {
  const base = resolve(options.cwd, options.base ?? '.');
  const failures: Failure[] = [];
  const found: FoundFile[] = [];
  let stdin = false;
  for (const argument of arguments_) {
    if (argument === '-') stdin = true;
    else await expand(argument, options, found, failures);
  }
  const files = await withoutRepeats(found);
  const named = files.map((file) => ({ path: file.path, name: inputName(file.path, base, file.root) }));
  const names = distinctNames(named);
  const inputs: Input[] = files.map((file, index) => ({ ...file, name: names[index] ?? file.shown }));
  if (stdin) {
    keepStandardInput();
    inputs.push({ shown: '-', path: undefined, name: 'stdin', walked: false, piped: true, size: 0 });
  }
  return { inputs, failures, bytes: inputs.reduce((sum, input) => sum + input.size, 0) };
}

async function expand(
  argument: string,
  options: InputOptions,
  found: FoundFile[],
  failures: Failure[],
): Promise<void> {
  const path = resolve(options.cwd, argument);
  try {
    const status = await stat(path);
    if (status.isDirectory()) return await expandFolder(argument, path, options.extensions, found, failures);
    const piped = status.isFIFO();
    if (status.isFile()) keepInput(status);
    found.push({ shown: argument, path, root: dirname(path), walked: false, piped, size: status.size });
  } catch (error) {
    const absent = systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
    if (absent && (await expandGlob(argument, options.cwd, found, failures))) return;
    failures.push(absent ? await missing(argument, path) : unreadable(argument, error));
  }
}

// `< file`: what it is read from is an input like any other.
function keepStandardInput(): void {
  try {
    // In whole numbers, since Node remembers the other form: after a pipe it would no longer follow links when it loads modules.
    const status = fstatSync(0, { bigint: true });
    if (status.isFile()) keepInput({ dev: Number(status.dev), ino: Number(status.ino) });
  } catch {
    // Closed: reading it says so.
  }
}

async function withoutRepeats(found: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const seen = new Set<string>();
  const files: FoundFile[] = [];
  for (const file of found) {
    const real = await realpath(file.path).catch(() => file.path);
    if (seen.has(real)) continue;
    seen.add(real);
    files.push(file);
  }
  return files;
}

async function missing(argument: string, path: string): Promise<Failure> {
  const siblings = await readdir(dirname(path)).catch(() => []);
  const near = didYouMean(basename(path), siblings);
  const message = /[*?[{]/.test(argument)
    ? 'no file matches this pattern'
    : 'there is no such file or folder';
  return new Failure(EXIT.input, 'cli/no-such-input', message, {
    source: argument,
    ...(near === undefined ? {} : { hint: near }),
  });
}
