import type { AnyFormat } from '@pchronicle/storyline-core';
import type { ReadOptions } from '../commands/read-options.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { formatNamed, inMode, readableExtensions } from '../formats.ts';
import { type Input, type InputList, listInputs } from '../io/inputs.ts';
import { createJoinedInputs } from './joined-inputs.ts';
import { detectInput, type OpenInput, openInput } from './open-input.ts';

/** An open input whose format is known; or several that are read as one. */
export interface ReadableInput extends OpenInput {
  readonly format: AnyFormat;
  /** Where it is several files: their names in documents, and their paths as the user gave them. */
  readonly parts?: readonly Pick<Input, 'name' | 'shown'>[];
}

/** Called for each input that cannot be used. */
export type Refuse = (failure: Failure) => void | Promise<void>;

/** Finds the inputs of a command; what cannot be used goes to `refuse`, by default a line on stderr, and marks the exit code. */
export async function findInputs(
  arguments_: readonly string[],
  options: Pick<ReadOptions, 'base' | 'format' | 'from'>,
  context: Context,
  refuse: Refuse = (failure) => context.notes.fail(failure),
): Promise<InputList> {
  namedFormat(options); // a wrong name is a usage error before any input is looked at
  const list = await listInputs(arguments_, {
    cwd: context.cwd,
    extensions: readableExtensions(),
    ...(options.base === undefined ? {} : { base: options.base }),
  });
  for (const failure of list.failures) {
    context.mark(failure.exit);
    await refuse(failure);
  }
  return list;
}

/**
 * Opens the inputs one by one, each with its format; what cannot be read or is in no known format goes to `refuse`, marks the exit code, and
 * is passed over. Each is closed when the next is asked for. Inputs of a format that joins come last, those that hold parts of one
 * record (pages of one conversation) as one.
 */
export async function* eachInput(
  list: InputList,
  options: ReadOptions,
  context: Context,
  refuse: Refuse = (failure) => context.notes.fail(failure),
): AsyncGenerator<ReadableInput> {
  const format = namedFormat(options);
  const refused = async (failure: Failure): Promise<void> => {
    context.mark(failure.exit);
    await refuse(failure);
  };
  const joined = createJoinedInputs(context);
  try {
    for (const input of list.inputs) {
      context.interrupt.check();
      let open: OpenInput;
      try {
        open = await openInput(input, context.interrupt.signal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await refused(error);
        continue;
      }
      let isKept = false;
      try {
        const detected = await detectInput(open, format);
        if (detected.failure !== undefined) await refused(detected.failure);
        if (detected.format === undefined) continue;
        const readable = { ...open, format: inMode(detected.format, options.compat) };
        if (readable.format.joins === true && list.inputs.length > 1) isKept = await joined.add(readable);
        else yield readable;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await refused(error);
      } finally {
        if (!isKept) await open.close();
      }
    }
    yield* joined.inputs();
  } finally {
    await joined.close();
  }
}

function namedFormat(options: Pick<ReadOptions, 'format' | 'from'>): AnyFormat | undefined {
  const named = options.format ?? options.from;
  return named === undefined ? undefined : formatNamed(named);
}
