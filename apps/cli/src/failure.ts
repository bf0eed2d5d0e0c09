import type { Issue, IssueCode } from '@pchronicle/storyline-core';
import { EXIT, type ExitCode } from './exit.ts';

/** What a {@link Failure} may say besides. */
export interface FailureMore {
  readonly source?: string;
  readonly hint?: string;
  readonly details?: readonly string[];
}

/** What ends a command for a reason the user can act on: one sentence, a stable code, the exit code, and perhaps a way out. */
export class Failure extends Error {
  readonly code: IssueCode;
  readonly exit: ExitCode;
  readonly source: string | undefined;
  readonly hint: string | undefined;
  /** Lines that belong to it: the candidates of an ambiguous id. */
  readonly details: readonly string[];

  constructor(exit: ExitCode, code: IssueCode, message: string, more: FailureMore = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.exit = exit;
    this.source = more.source;
    this.hint = more.hint;
    this.details = more.details ?? [];
  }
}

/** A command that was called wrongly (exit 2). */
export function usageFailure(code: IssueCode, message: string, hint?: string): Failure {
  return new Failure(EXIT.usage, code, message, hint === undefined ? {} : { hint });
}

/** The same failure as an issue, for `--json` and for lists of issues. */
export function failureIssue(failure: Failure): Issue {
  const message = [failure.message, ...failure.details, failure.hint]
    .filter((part) => part !== undefined)
    .join('; ');
  const at = failure.source === undefined ? { pointer: '' } : { source: failure.source, pointer: '' };
  return { code: failure.code, severity: 'error', message, at };
}

/** Thrown when the reader of stdout has gone (`| head`): the command ends quietly with 0. */
export class OutputClosed extends Error {
  constructor() {
    super('stdout was closed by its reader');
    this.name = 'OutputClosed';
  }
}

/** Thrown to leave a loop after Ctrl-C or SIGTERM; the command ends with 130. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

/** The code of a system error such as `ENOENT`; `undefined` for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && 'syscall' in error ? error.code : undefined;
}

/** One phrase for a person about a system error, without paths. */
export function systemReason(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'it does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'a part of its path is not a folder';
    case 'ENOSPC':
      return 'the disk is full';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EMFILE':
      return 'too many open files';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    case 'EIO':
      return 'the disk reported an I/O error';
    case 'ELOOP':
      return 'its links form a loop';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
