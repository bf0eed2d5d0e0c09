import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import type { StepRow } from './database-run.ts';
import { microsecondsOf, timeOfMicroseconds } from './times.ts';

/** The step table in the layout. */
export interface PackedSteps {
  /** Id of the first step, then start and end of every step. */
  readonly steps: readonly Json[];
  /** All step ids, where they do not count up. */
  readonly step_ids?: readonly Json[];
  /** All idx, where they do not count up from 0. */
  readonly step_idx?: readonly Json[];
  /** Position → name, for steps that have no event whose turn would tell it. */
  readonly step_names?: JsonObject;
}

/**
 * The step table as short JSON (decision F3): times as microseconds after the time before them (a start after the start of the step
 * before or of the run, an end after its own start) where they have Forkline's form, else as they are.
 */
export function packSteps(
  steps: readonly StepRow[],
  runStart: Json,
  named: ReadonlySet<string>,
): PackedSteps {
  const times: Json[] = [];
  const ids: Json[] = [];
  const idxs: Json[] = [];
  const names: MutableJsonObject = {};
  let base = typeof runStart === 'string' ? microsecondsOf(runStart) : undefined;
  for (const [at, step] of steps.entries()) {
    const start = typeof step.started_at === 'string' ? microsecondsOf(step.started_at) : undefined;
    times.push(difference(step.started_at, start, base));
    base = start ?? base;
    const end = typeof step.ended_at === 'string' ? microsecondsOf(step.ended_at) : undefined;
    times.push(difference(step.ended_at, end, start));
    ids.push(step.step_id);
    idxs.push(step.idx);
    if (!named.has(stepKey(step.idx))) names[String(at)] = step.name;
  }
  const counting = (values: readonly Json[], first: Json | undefined): boolean =>
    typeof first === 'number' && values.every((value, at) => value === first + at);
  return {
    steps: [ids[0] ?? 0, ...times],
    ...(ids.length === 0 || counting(ids, ids[0]) ? {} : { step_ids: ids }),
    ...(counting(idxs, 0) ? {} : { step_idx: idxs }),
    ...(Object.keys(names).length > 0 ? { step_names: names } : {}),
  };
}

/** Text that tells steps of one run apart by idx. */
export function stepKey(idx: Json): string {
  return typeof idx === 'object' && idx !== null && 'raw' in idx ? String(idx.raw) : JSON.stringify(idx);
}

function difference(value: Json, time: bigint | undefined, base: bigint | undefined): Json {
  if (time === undefined || base === undefined) return value;
  const micros = Number(time - base);
  return Number.isSafeInteger(micros) ? micros : value;
}

/** Unpacks what {@link packSteps} packed into a layout; `nameOf` gives the names that stand in the turns. `undefined` where the layout has no steps. */
export function unpackSteps(
  layout: JsonObject,
  runStart: Json,
  nameOf: (idx: Json) => string | undefined,
): readonly StepRow[] | undefined {
  const { steps, step_ids: ids, step_idx: idxs, step_names: names } = layout;
  if (!isJsonArray(steps)) return undefined;
  const first = typeof steps[0] === 'number' ? steps[0] : 1;
  let base = typeof runStart === 'string' ? microsecondsOf(runStart) : undefined;
  const rows: StepRow[] = [];
  for (let at = 0; 2 * at + 2 < steps.length; at += 1) {
    const started_at = restore(steps[2 * at + 1] ?? null, base);
    const start = typeof started_at === 'string' ? microsecondsOf(started_at) : undefined;
    base = start ?? base;
    const idx = isJsonArray(idxs) ? (idxs[at] ?? at) : at;
    const name = isJsonObject(names) && Object.hasOwn(names, String(at)) ? names[String(at)] : undefined;
    rows.push({
      step_id: isJsonArray(ids) ? (ids[at] ?? null) : first + at,
      idx,
      name: name ?? nameOf(idx) ?? '',
      started_at,
      ended_at: restore(steps[2 * at + 2] ?? null, start),
    });
  }
  return rows;
}

function restore(value: Json, base: bigint | undefined): Json {
  if (typeof value !== 'number' || base === undefined || !Number.isSafeInteger(value)) return value;
  return timeOfMicroseconds(base + BigInt(value));
}
