import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { type AnyFormat, type Head, parseJson, readHead, type Source } from '@pchronicle/storyline-core';
import { openFile, spool } from '@pchronicle/storyline-core/node';
import { EXIT } from '../exit.ts';
import { Failure, systemCode } from '../failure.ts';
import { registry } from '../formats.ts';
import { unreadable } from '../io/found-file.ts';
import type { Input } from '../io/inputs.ts';
import { endOfValue, firstBytes, laterHeads } from './later-lines.ts';

/** An input that is open, with what its bytes look like. */
export interface OpenInput {
  readonly input: Input;
  readonly source: Source;
  readonly head: Head;
  close(): Promise<void>;
}

/** Opens an input (standard input and pipes are spooled to a private file first); a {@link Failure} says why it cannot be read. `count` has the records of a big one counted. */
export async function openInput(input: Input, signal: AbortSignal, count = false): Promise<OpenInput> {
  let source: Source & { close(): Promise<void> };
  try {
    source =
      input.path === undefined
        ? await spool(addAbortSignal(signal, process.stdin), input.name)
        : input.piped
          ? await spool(addAbortSignal(signal, createReadStream(input.path)), input.name)
          : await openFile(input.path, input.name);
  } catch (error) {
    // Standard input may never end: Ctrl-C does not wait for it.
    if (signal.aborted) throw signal.reason;
    throw systemCode(error) === undefined ? error : unreadable(input.shown, error);
  }
  try {
    const head = await readHead(source, { count });
    return { input, source, head, close: () => source.close() };
  } catch (error) {
    await source.close();
    if (signal.aborted) throw signal.reason;
    throw systemCode(error) === undefined ? error : unreadable(input.shown, error);
  }
}

// Bytes of an unknown input up to which it is parsed, to say where it breaks.
const MOST_PARSED = 64 * 1024 * 1024;

/** What detection says about an input. */
export interface DetectedFormat {
  readonly format: AnyFormat | undefined;
  readonly confidence: 'no' | 'maybe' | 'yes';
  readonly why: string;
  /** Why the input cannot be read, when `format` is undefined. */
  readonly failure?: Failure;
}

/** Finds the format of an open input by its content, unless the user named one; of two that claim it, neither is taken. An empty input has none. */
export async function detectInput(
  { input, head, source }: OpenInput,
  named?: AnyFormat,
): Promise<DetectedFormat> {
  if (head.shape === 'empty') {
    const why = 'the file is empty';
    return { format: undefined, confidence: 'no', why, failure: failed(input, 'cli/empty-input', why) };
  }
  if (named !== undefined) return namedFormat(named, input);
  const found = registry.detect(head);
  const [first, second] = found;
  if (first === undefined) {
    for await (const later of laterHeads(head, source)) {
      const [one, other] = registry.detect(later);
      if (one?.confidence !== 'yes' || other !== undefined) continue;
      const why = `the first line is of no known format; of a later one is said: ${one.why}`;
      return { format: one.format, confidence: 'maybe', why };
    }
    const near = registry.formats.flatMap((format) => format.detect(head).hint ?? []);
    const why = `no known format: ${near.length > 0 ? near.join('; ') : await describe(head, source)}`;
    const isOneOfMany = head.shape === 'lines' || head.shape === 'array';
    const others = isOneOfMany ? ', and what is in order is read' : '';
    const hint = near.length > 0 ? undefined : `name the format with --format${others}`;
    return {
      format: undefined,
      confidence: 'no',
      why,
      failure: failed(input, 'cli/unknown-input', why, hint),
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

async function describe(head: Head, source: Source): Promise<string> {
  switch (head.shape) {
    case 'binary':
      return 'its bytes are not text';
    case 'text':
      return 'its text is not JSON';
    case 'lines':
      return `JSON Lines; the first ${(await whereItBreaks(source, true)) ?? NONE_KNOWN}`;
    case 'array': {
      const broken = await whereItBreaks(source);
      return broken === undefined
        ? `a JSON array; its first element, which tells the format, ${NONE_KNOWN}`
        : `its JSON ${broken}`;
    }
    default: {
      const broken = await whereItBreaks(source);
      return broken === undefined ? 'a JSON document that no format claims' : `its JSON ${broken}`;
    }
  }
}

const NONE_KNOWN = 'is of none that is known';

// What no format claims may only be broken: the place says more than "unknown".
async function whereItBreaks(source: Source, inFirstLine = false): Promise<string | undefined> {
  if (source.size > MOST_PARSED) return undefined;
  const bytes = await firstBytes(source, MOST_PARSED);
  // White space before the first line is part of it, so that its number is right.
  const start = bytes.findIndex((byte) => byte > 0x20);
  const end = inFirstLine ? endOfValue(bytes, Math.max(start, 0)) : -1;
  const parsed = parseJson(end === -1 ? bytes : bytes.subarray(0, end));
  const broken = parsed.issues.find((issue) => issue.severity === 'error');
  if (broken === undefined) return undefined;
  const { line, column } = broken.at;
  const where = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : ` column ${column}`})`;
  return `is broken: ${broken.message}${where}`;
}
