import type { JsonObject } from '@pchronicle/storyline-core';
import { pythonJson } from '../python/dump.ts';
import { pythonEqual } from '../python/equal.ts';
import type { StepEvent } from './steps.ts';

/** What Forkline's event diff finds first (forkline-notes §10). */
export type EventDiff =
  | { readonly identical: true }
  | {
      readonly identical: false;
      readonly index: number;
      readonly totalA: number;
      readonly totalB: number;
      /** The two events that differ; absent when only the counts do. */
      readonly old?: StepEvent;
      readonly new?: StepEvent;
    };

/**
 * Compares two runs event by event, by type and payload under Python's equality (the profile `python-eq`), and stops at the first
 * difference. Ids and times are not looked at. Takes any iterables, so that runs need not be held; the rest is then only counted.
 */
export function eventDiff(runA: Iterable<StepEvent>, runB: Iterable<StepEvent>): EventDiff {
  const a = runA[Symbol.iterator]();
  const b = runB[Symbol.iterator]();
  let index = 0;
  let nextA = a.next();
  let nextB = b.next();
  while (nextA.done !== true && nextB.done !== true) {
    if (!sameEvent(nextA.value, nextB.value)) {
      const found = { old: nextA.value, new: nextB.value };
      return {
        identical: false,
        index,
        totalA: index + count(a, nextA),
        totalB: index + count(b, nextB),
        ...found,
      };
    }
    index += 1;
    nextA = a.next();
    nextB = b.next();
  }
  if (nextA.done === true && nextB.done === true) return { identical: true };
  return { identical: false, index, totalA: index + count(a, nextA), totalB: index + count(b, nextB) };
}

function sameEvent(a: StepEvent, b: StepEvent): boolean {
  return a.type === b.type && pythonEqual(a.payload, b.payload);
}

function count(iterator: Iterator<StepEvent>, from: IteratorResult<StepEvent>): number {
  let events = 0;
  for (let next = from; next.done !== true; next = iterator.next()) events += 1;
  return events;
}

/** The JSON that `forkline diff --format json` of 0.5 prints. */
export function eventDiffJson(diff: EventDiff, runA: string, runB: string): string {
  const runs = { run_a: runA, run_b: runB };
  let result: JsonObject;
  if (diff.identical) result = { ...runs, identical: true };
  else {
    const events: JsonObject =
      diff.old === undefined || diff.new === undefined
        ? { reason: 'different_event_count' }
        : { old: { ...diff.old }, new: { ...diff.new } };
    const counts = {
      divergence_index: diff.index,
      total_events_a: diff.totalA,
      total_events_b: diff.totalB,
    };
    result = { ...runs, identical: false, ...counts, ...events };
  }
  return `${pythonJson(result, { indent: 2 })}\n`;
}

/** The text that `forkline diff` of 0.5 prints. */
export function eventDiffText(diff: EventDiff, runA: string, runB: string): string {
  if (diff.identical) return 'No differences\n';
  if (diff.old === undefined || diff.new === undefined) {
    return (
      `Event count differs: ${diff.totalA} (${runA}) vs ${diff.totalB} (${runB})\n` +
      `First divergence at event index ${diff.index}\n`
    );
  }
  const side = (label: string, event: StepEvent): string =>
    `  ${label}.type: ${event.type}\n  ${label}.payload: ${cut(pythonJson(event.payload), 80)}\n`;
  return `Step ${diff.index} diverged:\n${side('old', diff.old)}${side('new', diff.new)}`;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text;
}
