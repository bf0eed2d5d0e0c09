import {
  getPointer,
  type Issue,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parseJson,
  type Storyline,
  setOwn,
  storylineToJson,
} from '@pchronicle/storyline-core';
import { expect } from 'vitest';
import { exportActf, importActf } from '../../src/index.ts';

/** A document with these attempts, all else as it has to be. */
export function task(attempts: JsonObject, root: JsonObject = {}): JsonObject {
  const count = Object.keys(attempts).length;
  return {
    task_id: 'task-1',
    category: 'math',
    k: Math.max(4, count),
    correct: false,
    attempts_tried: count,
    ...root,
    attempts,
  };
}

/** An attempt with these steps, or this trajectory. */
export function attempt(trajectory: readonly JsonObject[] | JsonObject, rest: JsonObject = {}): JsonObject {
  const whole = Array.isArray(trajectory)
    ? {
        schema_version: 'ACTF_v1.0',
        started_at: '2026-08-01T00:00:00Z',
        finished_at: '2026-08-01T00:01:00Z',
        steps: trajectory as readonly JsonObject[],
      }
    : (trajectory as JsonObject);
  return { correct: false, status: 'completed', ...rest, trajectory: whole };
}

/** A step with this id. */
export function step(id: Json, rest: JsonObject = {}): JsonObject {
  return {
    step_id: id,
    assistant_content: { content: `answer ${String(id)}` },
    metric: {},
    started_at: '2026-08-01T00:00:01Z',
    finished_at: '2026-08-01T00:00:02Z',
    ...rest,
  };
}

/** A document with one attempt, `1`, of these steps. */
export function steps(...list: readonly JsonObject[]): JsonObject {
  return task({ '1': attempt(list) });
}

/** A document with one attempt, `1`, that is an event array. */
export function events(...list: readonly Json[]): JsonObject {
  return task({ '1': { correct: false, status: 'failed', error: 'boom', trajectory: list } });
}

/** The Storylines and issues of a document that must be accepted. */
export function accepted(document: Json): {
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
} {
  const { storylines, issues } = importActf(document);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  expect(storylines.length).toBeGreaterThan(0);
  return { storylines, issues };
}

/** Codes and pointers of the errors that reject a document. */
export function rejected(document: Json): readonly string[] {
  const { storylines, issues } = importActf(document);
  expect(storylines).toEqual([]);
  return issues.filter((issue) => issue.severity === 'error').map(({ code, at }) => `${code} ${at.pointer}`);
}

/** What is at a pointer of the Storylines of a document, an array. */
export function read(document: Json, pointer: string): Json | undefined {
  return getPointer(accepted(document).storylines.map(storylineToJson), pointer);
}

/** The document that Storylines are written as, and the issues of writing them. */
export function written(storylines: readonly Storyline[]): {
  readonly document: JsonObject;
  readonly issues: readonly Issue[];
} {
  const { text, issues } = exportActf(storylines);
  expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
  return { document: parseJson(text).value as JsonObject, issues };
}

/** A document imported and exported, and what exporting it said. */
export function back(document: Json): { readonly document: JsonObject; readonly issues: readonly Issue[] } {
  return written(accepted(document).storylines);
}

/** What is at a pointer of a document that was imported and exported. */
export function backAt(document: Json, pointer: string): Json | undefined {
  return getPointer(back(document).document, pointer);
}

/** Issues as `severity code pointer`. */
export function told(issues: readonly Issue[], code?: string): readonly string[] {
  return issues
    .filter((issue) => code === undefined || issue.code === code)
    .map(({ severity, code: own, at }) => `${severity} ${own} ${at.pointer}`);
}

/** A Storyline of no format, with one turn for each of these. */
export function story(turns: readonly JsonObject[], head: JsonObject = {}): Storyline {
  const base: MutableJsonObject = { schema_version: 'storyline/v1', session: 's1', agent: { id: 'ag' } };
  for (const key of Object.keys(head)) setOwn(base, key, head[key] ?? null);
  const list = turns.map((turn, index) => ({ id: index + 1, src: 'agent', msg: 'm', ...turn }));
  return { ...base, turns: list } as unknown as Storyline;
}

/** Where the steps of attempt `1` stand. */
export const STEPS = '/attempts/1/trajectory/steps';
