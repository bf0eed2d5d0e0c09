import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { pythonJson } from '../python/dump.ts';
import { pythonEqual } from '../python/equal.ts';
import { ciNormalise } from './ci-normalise.ts';
import { type JsonDifference, jsonDiff } from './json-diff.ts';

/** What `forkline ci diff` finds between a baseline and a new artifact, with Forkline's member names (forkline-notes §11). */
export type CiDiff =
  | { readonly identical: true; readonly expected_events: number; readonly actual_events: number }
  | {
      readonly identical: false;
      readonly first_divergent_index: number;
      readonly total_expected: number;
      readonly total_actual: number;
      readonly suggestion: string;
      readonly reason?: 'event_count_mismatch';
      readonly event_type?: Json;
      readonly expected?: JsonObject;
      readonly actual?: JsonObject;
      readonly payload_diff?: readonly JsonDifference[];
    };

const SUGGESTION = 'Re-record baseline: forkline ci record --entrypoint <script> --out <path>';

/** Normalises both artifacts and compares the types and payloads of their events under Python's equality. */
export function ciDiff(expected: Json, actual: Json): CiDiff {
  const a = eventsOf(ciNormalise(expected));
  const b = eventsOf(ciNormalise(actual));
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const old = a[index] ?? {};
    const now = b[index] ?? {};
    if (pythonEqual(old, now)) continue;
    return {
      identical: false,
      first_divergent_index: index,
      event_type: getOwn(old, 'type') ?? null,
      expected: old,
      actual: now,
      payload_diff: jsonDiff(getOwn(old, 'payload') ?? null, getOwn(now, 'payload') ?? null),
      total_expected: a.length,
      total_actual: b.length,
      suggestion: SUGGESTION,
    };
  }
  if (a.length === b.length) {
    return { identical: true, expected_events: a.length, actual_events: b.length };
  }
  return {
    identical: false,
    first_divergent_index: Math.min(a.length, b.length),
    reason: 'event_count_mismatch',
    total_expected: a.length,
    total_actual: b.length,
    suggestion: SUGGESTION,
  };
}

function eventsOf(artifact: Json): readonly JsonObject[] {
  const events = isJsonObject(artifact) ? getOwn(artifact, 'events') : undefined;
  if (!isJsonArray(events)) return [];
  return events.map((event) => {
    const part: MutableJsonObject = {};
    if (isJsonObject(event)) {
      part.type = getOwn(event, 'type') ?? null;
      part.payload = getOwn(event, 'payload') ?? null;
    }
    return part;
  });
}

/** The JSON that `forkline ci diff --format json` prints. */
export function ciDiffJson(diff: CiDiff): string {
  return `${pythonJson(diff as unknown as Json, { indent: 2 })}\n`;
}

const MOST_OPERATIONS = 5;
const LONGEST_VALUE = 60;

/** The text that `forkline ci diff` prints. */
export function ciDiffText(diff: CiDiff): string {
  if (diff.identical) return 'No differences detected.\n';
  const suggestion = `\nSuggested fix: ${diff.suggestion}\n`;
  if (diff.reason !== undefined) {
    return (
      `DIFF: Event count mismatch: expected ${diff.total_expected}, actual ${diff.total_actual}\n` +
      `  First divergence at event[${diff.first_divergent_index}]\n${suggestion}`
    );
  }
  const differences = diff.payload_diff ?? [];
  const lines = differences.slice(0, MOST_OPERATIONS).map((one) => `  ${operation(one)}\n`);
  if (differences.length > MOST_OPERATIONS)
    lines.push(`  ... and ${differences.length - MOST_OPERATIONS} more\n`);
  const type = typeof diff.event_type === 'string' ? diff.event_type : pythonJson(diff.event_type ?? null);
  return `DIFF: First divergence at event[${diff.first_divergent_index}] (type: ${type})\n${lines.join('')}${suggestion}`;
}

function operation(difference: JsonDifference): string {
  if (difference.op === 'remove') return `${difference.path}: ${cut(difference.old)} (removed)`;
  if (difference.op === 'add') return `${difference.path}: ${cut(difference.value)} (added)`;
  return `${difference.path}: ${cut(difference.old)} -> ${cut(difference.new)}`;
}

function cut(value: Json): string {
  const text = pythonJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 3)}...` : text;
}
