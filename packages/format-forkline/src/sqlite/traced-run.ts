import { isJsonObject, type Place } from '@pchronicle/storyline-core';
import type { Step, StepEvent, TracedRun } from '../diff/steps.ts';
import type { StepRow } from '../mapping/database-run.ts';
import type { Database } from './engine.ts';
import { eventJson } from './event-json.ts';
import { eventRows } from './read-events.ts';
import { type RunRow, stepRows } from './read-runs.ts';
import type { Tables } from './tables.ts';

/** A run with its steps. A recorder has no steps: there every event is one, named after its type and tool (forkline-gaps B8). */
export function tracedRun(database: Database, tables: Tables, run: RunRow, at: Place): TracedRun {
  const byStep = new Map<string, StepEvent[]>();
  for (const event of eventRows(database, tables, run, at)) {
    const key = tables.model === 'tracer' ? String(event.stepIdx) : '';
    const ofStep = byStep.get(key) ?? [];
    byStep.set(key, ofStep);
    ofStep.push({ type: String(event.type), payload: eventJson(event, at).payload ?? null });
  }
  const steps =
    tables.model === 'recorder'
      ? recorded(byStep.get('') ?? [])
      : stepsOf(stepRows(database, tables, run), byStep);
  return { run_id: String(run.head.run_id), steps };
}

/** Steps with the same idx are one; the last of them names it. */
function stepsOf(
  rows: readonly StepRow[],
  byStep: ReadonlyMap<string, readonly StepEvent[]>,
): readonly Step[] {
  const byIdx = new Map(rows.map((step) => [String(step.idx), step]));
  return [...byIdx].map(([key, step]) => ({
    idx: Number(step.idx),
    name: String(step.name),
    events: byStep.get(key) ?? [],
  }));
}

function recorded(events: readonly StepEvent[]): readonly Step[] {
  return events.map((event, idx) => {
    const tool = isJsonObject(event.payload) ? (event.payload.tool_name ?? event.payload.name) : undefined;
    const name =
      event.type === 'tool_call' && typeof tool === 'string' ? `${event.type}:${tool}` : event.type;
    return { idx, name, events: [event] };
  });
}
