import { CommanderError } from 'commander';
import { type CommonOptions, type Context, createContext } from './context.ts';
import { reportCrash } from './crash.ts';
import { EXIT, type ExitCode, worstExit } from './exit.ts';
import { Failure, Interrupted, OutputClosed } from './failure.ts';
import { type Interrupt, listenForInterrupt } from './interrupt.ts';
import { standardOutput } from './io/stdout.ts';
import { createProgram } from './program.ts';
import { createNotes, type Notes } from './terminal/notes.ts';

/** Runs the command line `arguments_` and ends the process with its exit code. */
export async function run(arguments_: readonly string[]): Promise<never> {
  const exit = await main(arguments_);
  process.exit(exit);
}

/** Runs the command line and returns its exit code, with everything written. */
async function main(arguments_: readonly string[]): Promise<ExitCode> {
  // A damaged file makes Lance print where in its own code it stumbled; the failure that follows is what is for people.
  if (process.env.PCHRONICLE_DEBUG !== '1') process.env.RUST_BACKTRACE = '0';
  const stdout = standardOutput();
  let notes: Notes = createNotes({});
  let interrupt: Interrupt | undefined;
  let context: Context | undefined;
  const program = createProgram(async (command, work) => {
    const options = command.optsWithGlobals<CommonOptions>();
    notes = createNotes({ ...options, json: options.json === true || options.jsonl === true });
    // One question has one answer: there is nothing to finish first.
    const afterwards = ['query', 'find', 'stats'].includes(command.name())
      ? ''
      : ' after the current trajectory';
    interrupt = listenForInterrupt((text) => notes.say(text), afterwards);
    context = createContext(stdout, notes, interrupt, options);
    await work(context);
  });
  let exit: ExitCode = EXIT.done;
  try {
    await program.parseAsync(arguments_, { from: 'user' });
  } catch (error) {
    exit = exitOf(error, notes);
  }
  if (context !== undefined) exit = worstExit(exit, context.exit);
  if (interrupt?.signal.aborted === true && exit !== EXIT.interrupted) exit = EXIT.interrupted;
  await notes.flush();
  return exit;
}

function exitOf(error: unknown, notes: Notes): ExitCode {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (error instanceof Failure) {
    notes.fail(error);
    return error.exit;
  }
  return reportCrash(error, notes);
}
