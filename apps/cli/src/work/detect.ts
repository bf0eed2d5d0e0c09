import type { DetectOptions } from '../commands/detect.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import type { Input } from '../io/inputs.ts';
import { findInputs } from '../read/each-input.ts';
import { type DetectedFormat, detectInput, openInput } from '../read/open-input.ts';
import { formatCount } from '../terminal/numbers.ts';
import { safeJson } from '../terminal/safe.ts';
import { formatTable } from '../terminal/table.ts';

/** One file of `detect --json`. */
export interface DetectedFile {
  readonly file: string;
  readonly format: string | null;
  readonly container: string | null;
  readonly records: number | null;
  readonly confidence: 'no' | 'maybe' | 'yes';
  readonly why: string;
}

/** Tells what each input is; exit 3 when one is unreadable or unknown. */
export async function detect(
  arguments_: readonly string[],
  options: DetectOptions,
  context: Context,
): Promise<void> {
  const list = await findInputs(arguments_, {}, context);
  const files: DetectedFile[] = [];
  for (const input of list.inputs) {
    context.interrupt.check();
    const file = await look(input, context);
    if (file.format === null) context.mark(EXIT.input);
    if (options.jsonl === true) await context.stdout.writeJson(`${safeJson(JSON.stringify(file))}\n`);
    else files.push(file);
  }
  if (options.jsonl === true) return;
  if (options.json === true) {
    await context.stdout.writeJson(`${safeJson(JSON.stringify({ files }))}\n`);
  } else if (files.length > 0) {
    await context.stdout.write(`${table(files, context)}\n`);
  }
}

async function look(input: Input, context: Context): Promise<DetectedFile> {
  try {
    const open = await openInput(input, context.interrupt.signal, true);
    try {
      return describe(input.shown, await detectInput(open), open.head.shape, open.head.count);
    } finally {
      await open.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const none = { format: null, container: null, records: null, confidence: 'no' } as const;
    return { file: input.shown, ...none, why: error.message };
  }
}

function describe(
  file: string,
  found: DetectedFormat,
  shape: string,
  count: number | undefined,
): DetectedFile {
  const isJson = shape === 'document' || shape === 'array' || shape === 'lines';
  return {
    file,
    format: found.format?.id ?? null,
    container: isJson ? shape : null,
    records: count ?? (shape === 'document' ? 1 : null),
    confidence: found.confidence,
    why: found.why,
  };
}

function table(files: readonly DetectedFile[], context: Context): string {
  return formatTable(
    files,
    [
      { title: 'FILE', text: ({ file }) => file, min: 16 },
      { title: 'FORMAT', text: ({ format }) => format ?? 'unknown' },
      { title: 'CONTAINER', text: ({ container }) => container ?? '-' },
      {
        title: 'RECORDS',
        align: 'right',
        text: ({ records }) => (records === null ? '-' : formatCount(records)),
      },
      { title: 'SURE', text: ({ confidence }) => confidence },
      { title: 'WHY', text: ({ why }) => why, min: 12 },
    ],
    context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
    context.style,
  );
}
