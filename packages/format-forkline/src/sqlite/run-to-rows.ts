import {
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  type Report,
  type Storyline,
  toBigInt,
} from '@pchronicle/storyline-core';
import { ENVIRONMENT_KEYS } from '../artifact/migrate-recording-v0.ts';
import { artifactOf, type VersionOf } from '../mapping/artifact-of-storyline.ts';
import type { StepRow } from '../mapping/database-run.ts';
import { untagNonFinite } from '../mapping/non-finite.ts';
import { layoutIn } from '../mapping/read-layout.ts';
import { stepKey, unpackSteps } from '../mapping/steps-layout.ts';
import { EVENT_KEYS, ROOT_KEYS } from '../mapping/vocabulary.ts';
import { pythonJson } from '../python/dump.ts';
import { isFloat } from '../python/number.ts';
import { parsePythonJson } from '../python/parse.ts';
import type { Cell } from './engine.ts';

/** An event ready to be written. */
export interface EventCells {
  /** Its own id; `undefined` when that is no 64-bit integer. */
  readonly id: bigint | undefined;
  readonly runId: string;
  readonly ts: string;
  readonly type: string;
  readonly payload: string;
  readonly stepIdx: Cell;
}

/** A run ready to be written, as the rows of either layout. */
export interface RunCells {
  readonly model: 'recorder' | 'tracer';
  /** Values by column; null where the column may be empty. */
  readonly run: { readonly [column: string]: string | null };
  readonly steps: readonly StepRow[];
  readonly events: readonly EventCells[];
  /** Events without a row for their run. */
  readonly orphaned: boolean;
}

/** Takes a Storyline apart into rows. What the tables have no column for is a loss, what they require and nothing gives is "". */
export function runToRows(storyline: Storyline, versionOf: VersionOf, report: Report): RunCells | undefined {
  const tagged = artifactOf(storyline, versionOf, report);
  if (tagged === undefined) return undefined;
  const artifact = untagNonFinite(tagged) as JsonObject;
  const layout = layoutIn(storyline);
  const defaulted = isJsonArray(layout.defaulted) ? layout.defaulted : [];
  const names = new Map<string, string>();
  for (const { env } of storyline.turns) {
    if (env?.id !== undefined && env.name !== undefined) names.set(env.id, env.name);
  }
  const steps = unpackSteps(layout, getOwn(artifact, 'started_at') ?? null, (idx) => names.get(stepKey(idx)));
  const model = steps === undefined ? 'recorder' : 'tracer';
  const text = (key: string): string => {
    const value = getOwn(artifact, key);
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return '';
    report('loss', 'forkline/not-in-database', `/${key}`, `${key} is no text and is written as its JSON`);
    return pythonJson(value);
  };
  const optional = (key: string): string | null => {
    const value = getOwn(artifact, key);
    return value === undefined || value === null ? null : text(key);
  };
  const unlessDefaulted = (key: string): string | null => (defaulted.includes(key) ? null : optional(key));
  const metadata = getOwn(artifact, 'metadata');
  const environment = isJsonObject(metadata) ? metadata : {};
  reportLeftOut(artifact, environment, model, report);
  const variable = (key: string): string => {
    const value = getOwn(environment, key);
    return typeof value === 'string' ? value : value === undefined || value === null ? '' : pythonJson(value);
  };
  const common = { run_id: text('run_id') };
  const run =
    model === 'recorder'
      ? {
          ...common,
          schema_version: text('schema_version'),
          forkline_version: text('forkline_version'),
          entrypoint: text('entrypoint'),
          started_at: text('started_at'),
          ended_at: optional('ended_at'),
          status: optional('status'),
          python_version: variable('python_version'),
          platform: variable('platform'),
          cwd: variable('cwd'),
        }
      : {
          ...common,
          created_at: text('started_at'),
          forkline_version: unlessDefaulted('forkline_version'),
          schema_version: unlessDefaulted('schema_version'),
        };
  const events = isJsonArray(artifact.events) ? artifact.events : [];
  return {
    model,
    run,
    steps: steps ?? [],
    events: events.map((event, position) =>
      eventToCells(event, storyline.turns[position]?.env?.id, run.run_id),
    ),
    orphaned: layout.orphaned === true,
  };
}

function eventToCells(event: Json, step: string | undefined, runId: string): EventCells {
  const fields = isJsonObject(event) ? event : {};
  const text = (key: string, fallback: string): string => {
    const value = getOwn(fields, key);
    return typeof value === 'string'
      ? value
      : value === undefined || value === null
        ? fallback
        : pythonJson(value);
  };
  const id = getOwn(fields, 'event_id');
  const whole = isNumeric(id) && isInteger(id) && !isFloat(id) ? toBigInt(id) : undefined;
  const parsed = step === undefined ? undefined : parsePythonJson(step);
  const stepIdx = parsed !== undefined && 'value' in parsed ? parsed.value : 0;
  return {
    id: whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : undefined,
    runId: text('run_id', runId),
    ts: text('ts', ''),
    type: text('type', 'system'),
    payload: pythonJson(getOwn(fields, 'payload') ?? (Object.hasOwn(fields, 'payload') ? null : {})),
    stepIdx:
      isNumeric(stepIdx) && isInteger(stepIdx)
        ? toBigInt(stepIdx)
        : typeof stepIdx === 'string'
          ? stepIdx
          : 0,
  };
}

/** Tells, once a kind, what the tables have no column for. */
function reportLeftOut(artifact: JsonObject, metadata: JsonObject, model: string, report: Report): void {
  const left = new Map<string, number>();
  const add = (pointer: string): void => void left.set(pointer, (left.get(pointer) ?? 0) + 1);
  for (const key of Object.keys(artifact)) {
    const known = (ROOT_KEYS as readonly string[]).includes(key);
    const notTraced =
      ['ended_at', 'status'].includes(key) || (key === 'entrypoint' && artifact.entrypoint !== '');
    if (!known || (model === 'tracer' && notTraced && artifact[key] !== null)) add(`/${key}`);
  }
  for (const [key, value] of Object.entries(metadata)) {
    const hasColumn = (ENVIRONMENT_KEYS as readonly string[]).includes(key) && model === 'recorder';
    if (!hasColumn || typeof value !== 'string') add(`/metadata/${key}`);
  }
  for (const event of isJsonArray(artifact.events) ? artifact.events : []) {
    if (!isJsonObject(event)) continue;
    for (const key of Object.keys(event)) {
      if (!(EVENT_KEYS as readonly string[]).includes(key)) add(`/events/*/${key}`);
    }
  }
  for (const [pointer, count] of left) {
    const message = `${pointer} has no column in the ${model}'s tables and is left out${count === 1 ? '' : ` (${count} times)`}`;
    report('loss', 'forkline/not-in-database', pointer, message);
  }
}
