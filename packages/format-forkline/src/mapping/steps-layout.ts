import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import type { StepRow } from './database-run.ts';
import { microsecondsOf, timeOfMicroseconds } from './times.ts';

/**
 * The step table as short JSON (decision F3): times as microseconds after the time before them (the run's start, the step before,
 * the step's own start) where they have Forkline's form, else as they are; ids and idx only where they do not simply count up;
 * names only of steps without events, for the others stand in their turns.
 */
export function packSteps(steps: readonly StepRow[], runStart: Json, named: ReadonlySet<string>): JsonObject {
  const starts: Json[] = [];
  const ends: Json[] = [];
  const ids: Json[] = [];
  const idxs: Json[] = [];
  const names: MutableJsonObject = {};
  let base = typeof runStart === 'string' ? microsecondsOf(runStart) : undefined;
  for (const [at, step] of steps.entries()) {
    const start = typeof step.started_at === 'string' ? microsecondsOf(step.started_at) : undefined;
    starts.push(difference(step.started_at, start, base));
    base = start ?? base;
    const end = typeof step.ended_at === 'string' ? microsecondsOf(step.ended_at) : undefined;
    ends.push(difference(step.ended_at, end, start));
    ids.push(step.step_id);
    idxs.push(step.idx);
    if (!named.has(stepKey(step.idx))) names[String(at)] = step.name;
  }
  const counting = (values: readonly Json[], first: Json | undefined): boolean =>
    typeof first === 'number' && values.every((value, at) => value === first + at);
  return {
    starts,
    ends,
    step_id: counting(ids, ids[0]) ? (ids[0] ?? 0) : ids,
    ...(counting(idxs, 0) ? {} : { idx: idxs }),
    ...(Object.keys(names).length > 0 ? { names } : {}),
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

/** Unpacks what {@link packSteps} packed; `nameOf` gives the names that stand in the turns. `undefined` for a layout that is none. */
export function unpackSteps(
  packed: Json | undefined,
  runStart: Json,
  nameOf: (idx: Json) => string | undefined,
): readonly StepRow[] | undefined {
  if (!isJsonObject(packed)) return undefined;
  const { starts, ends, step_id: ids = 1, idx: idxs, names } = packed;
  if (!isJsonArray(starts) || !isJsonArray(ends)) return undefined;
  let base = typeof runStart === 'string' ? microsecondsOf(runStart) : undefined;
  return starts.map((value, at) => {
    const started_at = restore(value, base);
    const start = typeof started_at === 'string' ? microsecondsOf(started_at) : undefined;
    base = start ?? base;
    const idx = isJsonArray(idxs) ? (idxs[at] ?? at) : at;
    const name = isJsonObject(names) && Object.hasOwn(names, String(at)) ? names[String(at)] : undefined;
    return {
      step_id: isJsonArray(ids) ? (ids[at] ?? null) : typeof ids === 'number' ? ids + at : at + 1,
      idx,
      name: name ?? nameOf(idx) ?? '',
      started_at,
      ended_at: restore(ends[at] ?? null, start),
    };
  });
}

function restore(value: Json, base: bigint | undefined): Json {
  if (typeof value !== 'number' || base === undefined || !Number.isSafeInteger(value)) return value;
  return timeOfMicroseconds(base + BigInt(value));
}
