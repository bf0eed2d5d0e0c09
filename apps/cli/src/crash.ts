import { EXIT, type ExitCode } from './exit.ts';
import { Failure, systemCode, systemReason } from './failure.ts';
import type { Notes } from './terminal/notes.ts';
import { safeLine } from './terminal/safe.ts';
import { version } from './version.ts';

const HINTS: { readonly [code: string]: string } = {
  'store/damaged':
    'pchronicle store verify names the files and the trajectories that are hit; --skip-damaged reads all others',
  'store/bad-options':
    'they come from the environment: AWS_…, AZURE_STORAGE_… or GOOGLE_…; docs/store.md lists them for each kind of store',
};

/** Tells the user about an error nobody foresaw, without a stack trace (unless PCHRONICLE_DEBUG=1), and how to report it. */
export function reportCrash(error: unknown, notes: Notes): ExitCode {
  if (isStoreFailure(error)) {
    const hint = HINTS[error.code];
    notes.fail(new Failure(EXIT.store, error.code, error.message, hint === undefined ? {} : { hint }));
    return EXIT.store;
  }
  const code = systemCode(error);
  if (code !== undefined) {
    notes.fail(
      new Failure(EXIT.internal, 'cli/system', `the system refused: ${systemReason(error)} (${code})`),
    );
  } else {
    const message = error instanceof Error ? error.message : String(error);
    notes.fail(
      new Failure(EXIT.internal, 'cli/internal', `an internal error: ${message}`, {
        hint: `this is a fault of pchronicle, not of your data; please report it with the command line and this: pchronicle ${version()}, Node ${process.version}, ${process.platform} ${process.arch}; PCHRONICLE_DEBUG=1 prints more`,
      }),
    );
  }
  if (process.env.PCHRONICLE_DEBUG === '1' && error instanceof Error) {
    for (const line of (error.stack ?? '').split('\n')) notes.insist(safeLine(line));
  }
  return EXIT.internal;
}

function isStoreFailure(error: unknown): error is Error & { readonly code: `store/${string}` } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('store/')
  );
}
