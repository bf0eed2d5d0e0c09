import type { AnyFormat, Head, Source } from '@pchronicle/storyline-core';
import { readHead } from '@pchronicle/storyline-core';
import { openFile, spool } from '@pchronicle/storyline-core/node';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { registry } from '../formats.ts';
import { type Input, unreadable } from '../io/inputs.ts';

/** An input that is open, with what its bytes look like. */
export interface OpenInput {
  readonly input: Input;
  readonly source: Source;
  readonly head: Head;
  close(): Promise<void>;
}

/** Opens an input (standard input is spooled to a private file first); a {@link Failure} says why it cannot be read. `count` has the records of a big one counted. */
export async function openInput(input: Input, signal: AbortSignal, count = false): Promise<OpenInput> {
  let source: Source & { close(): Promise<void> };
  try {
    source =
      input.path === undefined
        ? await spool(process.stdin, input.name)
        : await openFile(input.path, input.name);
  } catch (error) {
    throw unreadable(input.shown, error);
  }
  try {
    const head = await readHead(source, { count });
    return { input, source, head, close: () => source.close() };
  } catch (error) {
    await source.close();
    if (signal.aborted) throw signal.reason;
    throw unreadable(input.shown, error);
  }
}

/** What detection says about an input. */
export interface DetectedFormat {
  readonly format: AnyFormat | undefined;
  readonly confidence: 'no' | 'maybe' | 'yes';
  readonly why: string;
  /** Why the input cannot be read, when `format` is undefined. */
  readonly failure?: Failure;
}

/** Finds the format of an open input by its content, unless the user named one; of two that claim it, neither is taken. An empty input has none. */
export function detectInput({ input, head }: OpenInput, named?: AnyFormat): DetectedFormat {
  if (head.shape === 'empty') {
    const why = 'the file is empty';
    return { format: undefined, confidence: 'no', why, failure: failed(input, 'cli/empty-input', why) };
  }
  if (named !== undefined) return namedFormat(named, input);
  const found = registry.detect(head);
  const [first, second] = found;
  if (first === undefined) {
    const why = `no known format: ${describe(head)}`;
    return {
      format: undefined,
      confidence: 'no',
      why,
      failure: failed(input, 'cli/unknown-input', why, 'name the format with --format'),
    };
  }
  if (second !== undefined) {
    const names = found.map(({ format }) => format.id);
    const why = `looks like ${names.join(' and like ')}`;
    const hint = `say which with --format ${names.join(' or --format ')}`;
    return {
      format: undefined,
      confidence: 'maybe',
      why,
      failure: failed(input, 'cli/ambiguous-input', why, hint),
    };
  }
  return { format: first.format, confidence: first.confidence, why: first.why };
}

function namedFormat(format: AnyFormat, input: Input): DetectedFormat {
  const why = 'named by the user';
  if (format.reader !== undefined) return { format, confidence: 'yes', why };
  const message = `${format.title} can be written but not read`;
  return { format: undefined, confidence: 'no', why, failure: failed(input, 'cli/not-readable', message) };
}

function failed(input: Input, code: `cli/${string}`, message: string, hint?: string): Failure {
  return new Failure(EXIT.input, code, message, {
    source: input.shown,
    ...(hint === undefined ? {} : { hint }),
  });
}

function describe(head: Head): string {
  switch (head.shape) {
    case 'binary':
      return 'its bytes are not text';
    case 'text':
      return 'its text is not JSON';
    case 'array':
      return 'a JSON array whose elements no format claims';
    case 'lines':
      return 'JSON Lines that no format claims';
    default:
      return 'a JSON document that no format claims';
  }
}
