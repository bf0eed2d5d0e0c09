import {
  defined,
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
} from '@pchronicle/storyline-core';
import { listOf, unlessEmpty } from '../values.ts';

/** Version of the layout's own form. Recipes of the first one are still read: they have no ranges of the history. */
const VERSION = 2;

/** Where the rows of a session stand in their file, and how they differ from the plain rebuild (decision O2). */
export interface Layout {
  /** Number of rows. */
  readonly rows: number;
  /** Index of each row in the file, by step; `undefined` when they follow each other from the place where the session begins. */
  readonly index?: readonly number[];
  /** Ordinal of a row among those of its session → its recipe as JSON. */
  readonly recipes: ReadonlyMap<number, JsonObject>;
}

/** The layout as JSON; equal recipes of neighbours and evenly spaced indexes are written once. `undefined` when nothing has to be remembered. */
export function writeLayout(layout: Layout): JsonObject | undefined {
  if (layout.index === undefined && layout.recipes.size === 0) return undefined;
  const runs: { start: number; count: number; recipe: JsonObject }[] = [];
  for (const [ordinal, recipe] of layout.recipes) {
    const last = runs[runs.length - 1];
    if (last !== undefined && last.start + last.count === ordinal && equalJson(last.recipe, recipe))
      last.count += 1;
    else runs.push({ start: ordinal, count: 1, recipe });
  }
  return defined({
    version: VERSION,
    rows: layout.rows,
    index: layout.index && writeRuns(layout.index),
    recipes: unlessEmpty(runs.map(({ start, count, recipe }): Json => [start, count, recipe])),
  });
}

/** Reads a layout of a session with this many rows; `undefined` when it is not one. */
export function readLayout(json: Json | undefined, rows: number): Layout | undefined {
  const version = memberOf(json, 'version');
  if ((version !== 1 && version !== VERSION) || memberOf(json, 'rows') !== rows) return undefined;
  const runs = memberOf(json, 'index');
  const index = runs === undefined ? undefined : readIndex(runs, rows);
  if (runs !== undefined && index === undefined) return undefined;
  const recipes = new Map<number, JsonObject>();
  let next = 0;
  for (const run of listOf(memberOf(json, 'recipes'))) {
    const [start, count, recipe] = listOf(run);
    // Runs follow each other, so that no layout can name a row again and again.
    if (!isCount(start) || start < next || !isCount(count) || !isJsonObject(recipe)) return undefined;
    next = start + count;
    if (next > rows) return undefined;
    for (let ordinal = start; ordinal < next; ordinal += 1) recipes.set(ordinal, recipe);
  }
  return defined<Layout>({ rows, recipes, index });
}

/** The smallest index of a layout, without spelling out its runs; `undefined` when it has none. */
export function firstIndex(json: Json | undefined): number | undefined {
  const least = (readRuns(memberOf(json, 'index')) ?? []).map(({ start, count, step }) =>
    Math.min(start, start + (count - 1) * step),
  );
  return least.length === 0 ? undefined : least.reduce((one, other) => Math.min(one, other));
}

function writeRuns(index: readonly number[]): Json {
  const runs: Json[] = [];
  let at = 0;
  while (at < index.length) {
    const start = index[at] as number;
    const step = (index[at + 1] ?? start + 1) - start;
    let end = at + 1;
    while (end < index.length && (index[end] as number) - (index[end - 1] as number) === step) end += 1;
    runs.push(step === 1 ? [start, end - at] : [start, end - at, step]);
    at = end;
  }
  return runs;
}

interface Run {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

function readRuns(json: Json | undefined): readonly Run[] | undefined {
  if (!isJsonArray(json)) return undefined;
  const runs: Run[] = [];
  for (const run of json) {
    const [start, count, step = 1] = listOf(run);
    if (!isCount(start) || !isCount(count) || !Number.isInteger(step)) return undefined;
    runs.push({ start, count, step: step as number });
  }
  return runs;
}

function readIndex(json: Json, rows: number): readonly number[] | undefined {
  const index = new Set<number>();
  let room = rows;
  for (const { start, count, step } of readRuns(json) ?? []) {
    room -= count;
    if (room < 0) return undefined;
    for (let at = 0; at < count; at += 1) index.add(start + at * step);
  }
  return index.size === rows && [...index].every(isCount) ? [...index] : undefined;
}

/** Whether a value of a layout is a position or a number of things: an integer from 0 on. */
export function isCount(value: Json | undefined): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
