import { findGroups, joinSources } from '@pchronicle/storyline-core';
import type { Context } from '../context.ts';
import { systemCode } from '../failure.ts';
import { createFilePool } from '../io/file-pool.ts';
import { unreadable } from '../io/found-file.ts';
import type { Input } from '../io/inputs.ts';
import type { ReadableInput } from './each-input.ts';
import { createInputJoiner } from './join-inputs.ts';

/** Inputs of formats that join, held back until all of them were seen. */
export interface JoinedInputs {
  /** Looks which groups an input has. True when it stays open (a stream cannot be read twice), else its caller closes it. */
  add(input: ReadableInput): Promise<boolean>;
  /** The inputs: those that hold parts of one record as one, all others by themselves. */
  inputs(): Iterable<ReadableInput>;
  close(): Promise<void>;
}

/** Starts without inputs. Few files are open at a time, however many there are. */
export function createJoinedInputs(context: Context): JoinedInputs {
  const joiner = createInputJoiner();
  const held: ReadableInput[] = [];
  const kept: ReadableInput[] = [];
  const pool = createFilePool();
  return {
    async add(readable) {
      const { input, source, format } = readable;
      try {
        joiner.add(input.name, format.id, await findGroups(source, format, context.interrupt));
      } catch (error) {
        if (context.interrupt.signal.aborted) throw context.interrupt.signal.reason;
        throw systemCode(error) === undefined ? error : unreadable(input.shown, error);
      }
      const isStream = input.path === undefined || input.piped;
      if (isStream) kept.push(readable);
      held.push(
        isStream ? readable : { ...readable, source: pool.source(input.path, input.name, source.size) },
      );
      return isStream;
    },
    *inputs() {
      for (const set of joiner.sets()) {
        context.interrupt.check();
        const members = set.flatMap((index) => held[index] ?? []);
        const [first] = members;
        if (first !== undefined) yield members.length === 1 ? first : asOne(first, members);
      }
    },
    async close() {
      pool.close();
      for (const { close } of kept) await close();
    },
  };
}

/** Several inputs as one, which has the identity of the first. */
function asOne(first: ReadableInput, members: readonly ReadableInput[]): ReadableInput {
  const input: Input = { ...first.input, size: members.reduce((sum, member) => sum + member.input.size, 0) };
  return {
    ...first,
    input,
    source: joinSources(members.map(({ source }) => source)),
    parts: members.map(({ input: { name, shown } }) => ({ name, shown })),
  };
}
