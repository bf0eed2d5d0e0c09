import { EXIT, type ExitCode, worstExit } from './exit.ts';
import type { Interrupt } from './interrupt.ts';
import type { DataOutput } from './io/stdout.ts';
import type { Notes } from './terminal/notes.ts';
import { createStyle, type Style, wantsColor } from './terminal/style.ts';

/** Options that every command takes. */
export interface CommonOptions {
  readonly quiet?: boolean;
  /** False after `--no-color`. */
  readonly color?: boolean;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** What a running command works with: its outputs, the user's wish to stop, and the exit code so far. */
export interface Context {
  /** Data alone. */
  readonly stdout: DataOutput;
  /** Diagnostics. */
  readonly notes: Notes;
  readonly interrupt: Interrupt;
  /** Style of what goes to stdout. */
  readonly style: Style;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Remembers an exit code; the gravest one wins. */
  mark(exit: ExitCode): void;
  readonly exit: ExitCode;
}

/** Makes the context of one command from its options. */
export function createContext(
  stdout: DataOutput,
  notes: Notes,
  interrupt: Interrupt,
  options: CommonOptions,
): Context {
  let exit: ExitCode = EXIT.done;
  return {
    stdout,
    notes,
    interrupt,
    style: createStyle(wantsColor(process.stdout, options.color !== false)),
    env: process.env,
    cwd: process.cwd(),
    mark(code) {
      exit = worstExit(exit, code);
    },
    get exit() {
      return exit;
    },
  };
}
