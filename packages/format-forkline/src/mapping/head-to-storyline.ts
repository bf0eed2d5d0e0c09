import {
  appendPointer,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
  STORYLINE_VERSION,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import type { RunOptions } from './run-builder.ts';
import type { Tally } from './tally.ts';
import { isTimeText } from './times.ts';
import { ROOT_KEYS, SOURCE, UNNAMED_RUN } from './vocabulary.ts';

/** The head of a Storyline, and what its slots could not take. */
export interface MappedHead {
  readonly head: StorylineHead;
  readonly documentId: string;
  readonly residuals: readonly (readonly [pointer: string, value: Json])[];
  /** Root fields with an empty text, which no slot can tell from their absence. */
  readonly empty: readonly string[];
}

/** Root fields whose value must be a text; those marked true may also be null or absent. */
const TEXTS: readonly (readonly [key: string, optional: boolean])[] = [
  ['run_id', false],
  ['entrypoint', false],
  ['started_at', false],
  ['ended_at', true],
  ['status', true],
  ['forkline_version', true],
];

/** Maps everything but the events (decision F2); `raw` is the artifact before its numbers were tagged. Wrong types are errors, or in compatibility mode residuals (decision F4). */
export function mapHead(
  artifact: JsonObject,
  raw: JsonObject,
  sourceVersion: string,
  options: RunOptions,
  report: Report,
  found: Tally,
): MappedHead | undefined {
  const residuals: (readonly [string, Json])[] = [];
  const texts = new Map<string, string>();
  let failed = false;
  const wrong = (key: string, value: Json, expected: string): void => {
    if (options.lenient) {
      residuals.push([`/${key}`, value]);
      report(
        'warning',
        'forkline/wrong-field-type',
        `/${key}`,
        `${key} is not ${expected}; it is kept as a residual`,
      );
    } else {
      failed = true;
      report('error', 'forkline/wrong-field-type', `/${key}`, `${key} is not ${expected}`);
    }
  };
  for (const [key, optional] of TEXTS) {
    const value = getOwn(artifact, key);
    if (typeof value === 'string') texts.set(key, value);
    else if (value !== undefined && !(optional && value === null)) {
      wrong(key, value, optional ? 'a text or null' : 'a text');
    }
  }
  const metadata = getOwn(artifact, 'metadata');
  const takesMetadata = isJsonObject(getOwn(raw, 'metadata'));
  if (metadata !== undefined && metadata !== null && !takesMetadata) {
    wrong('metadata', metadata, 'an object or null');
  }
  if (failed) return undefined;
  const fromTracer = options.database?.model === 'tracer';
  for (const key of ['run_id', 'entrypoint', 'started_at']) {
    const expected = key !== 'entrypoint' || !fromTracer;
    if (expected && (texts.get(key) ?? '') === '' && !residuals.some(([pointer]) => pointer === `/${key}`)) {
      found.add('emptyField', `/${key}`);
    }
  }
  for (const key of Object.keys(artifact)) {
    if ((ROOT_KEYS as readonly string[]).includes(key)) continue;
    residuals.push([appendPointer('', key), artifact[key] ?? null]);
  }
  const time = (key: string): string | undefined => {
    const text = texts.get(key);
    if (text === undefined || isTimeText(text)) return text;
    residuals.push([`/${key}`, text]);
    found.add('time', `/${key}`);
    return undefined;
  };
  const runId = texts.get('run_id') ?? '';
  const documentId = runId === '' ? UNNAMED_RUN : runId;
  const entrypoint = texts.get('entrypoint') ?? '';
  const status = texts.get('status') ?? '';
  const version = texts.get('forkline_version');
  const started = time('started_at');
  const ended = time('ended_at');
  const task = {
    ...(entrypoint === '' ? {} : { env: { name: entrypoint } }),
    ...(status === '' ? {} : { result: { status } }),
  };
  const head: StorylineHead = {
    schema_version: STORYLINE_VERSION,
    session: documentId,
    run: documentId,
    agent: { id: SOURCE, ...(version === undefined ? {} : { ver: version }) },
    origin: {
      format: SOURCE,
      ...(sourceVersion === '' ? {} : { schema_version: sourceVersion }),
      document_id: documentId,
    },
    ...(Object.keys(task).length === 0 ? {} : { task }),
    ...(started === undefined ? {} : { started_at: started }),
    ...(ended === undefined ? {} : { finished_at: ended }),
    ...(takesMetadata && metadata !== undefined ? { meta: metadata } : {}),
  };
  const empty = ['run_id', 'status'].filter((key) => texts.get(key) === '');
  return { head, documentId, residuals, empty };
}
