import {
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  type Turn,
} from '@pchronicle/storyline-core';
import type { DatabaseRun } from './database-run.ts';
import type { MappedHead } from './head-to-storyline.ts';
import { rangeBuilder } from './ranges.ts';
import type { EventNote } from './run-builder.ts';
import { spellingText, usualSpelling } from './spelling.ts';
import { packSteps } from './steps-layout.ts';
import { messageKeysOf } from './vocabulary.ts';

/** Everything that the layout is made of. */
export interface LayoutInput {
  readonly head: JsonObject;
  readonly mapped: MappedHead;
  readonly turns: readonly Turn[];
  readonly notes: readonly EventNote[];
  readonly idsFit: boolean;
  readonly hasEvents: boolean;
  readonly database: DatabaseRun | undefined;
}

/**
 * The one field of the source `forkline-layout`: what the way back needs and the Storyline does not tell, empty for an ordinary
 * artifact. MAPPING.md names its members.
 */
export function layoutOf(input: LayoutInput): JsonObject | undefined {
  const layout: MutableJsonObject = {};
  const { head, turns, notes, idsFit, database } = input;
  const root = rootNotes(input);
  if (root !== '') layout.root = root;
  if (!idsFit) layout.ids = packIds(notes);
  const messageKeys = commonMessageKeys(notes);
  if (Object.keys(messageKeys).length > 0) layout.messages = messageKeys;
  const spellings = unusualSpellings(turns, notes, messageKeys);
  if (Object.keys(spellings).length > 0) layout.events = spellings;
  const runIds = otherRunIds(notes, getOwn(head, 'run_id'));
  if (runIds.length > 0) layout.run_ids = runIds;
  if (database?.model === 'tracer') {
    const named = new Set(turns.map((turn) => turn.env?.id ?? ''));
    Object.assign(layout, packSteps(database.steps, getOwn(head, 'started_at') ?? null, named));
  }
  if (database !== undefined && database.defaulted.length > 0) layout.defaulted = database.defaulted;
  if (database?.orphaned === true) layout.orphaned = true;
  return Object.keys(layout).length > 0 ? layout : undefined;
}

/** Root fields that the Storyline does not tell: `-key` lacks, `key=null` is null, `key=` is an empty text. */
function rootNotes({ head, mapped, hasEvents, database }: LayoutInput): string {
  const lacks = ['run_id', 'entrypoint', 'started_at'].filter((key) => !Object.hasOwn(head, key));
  if (!hasEvents) lacks.push('events');
  const nulls = ['ended_at', 'status', 'forkline_version', 'metadata'].filter(
    (key) => database === undefined && getOwn(head, key) === null,
  );
  const notes = [
    ...lacks.map((key) => `-${key}`),
    ...nulls.map((key) => `${key}=null`),
    ...mapped.empty.map((key) => `${key}=`),
  ];
  return notes.join(' ');
}

/** All event ids one by one (none when no event has one), null standing for an absent one too (its spelling says so). */
function packIds(notes: readonly EventNote[]): Json {
  if (notes.every((note) => note.id === undefined)) return [];
  return notes.map((note) => note.id ?? null);
}

/** For each type, the payload key that most of its events use, where it is not the one that needs no note. */
function commonMessageKeys(notes: readonly EventNote[]): JsonObject {
  const counts = new Map<string, Map<string, number>>();
  for (const { type, spelling } of notes) {
    const key = /(?:^| )msg=(\S*)/.exec(spelling)?.[1];
    if (key === undefined || key === '') continue;
    const known = counts.get(type) ?? new Map<string, number>();
    known.set(key, (known.get(key) ?? 0) + 1);
    counts.set(type, known);
  }
  const common: MutableJsonObject = {};
  for (const [type, keys] of counts) {
    const [most] = [...keys].sort(([, left], [, right]) => right - left)[0] ?? [];
    if (most !== undefined && most !== messageKeysOf(type)[0]) setOwn(common, type, most);
  }
  return common;
}

/** Spelling → the positions of the events that have it, for those that are not spelled as their turns suggest. */
function unusualSpellings(
  turns: readonly Turn[],
  notes: readonly EventNote[],
  messageKeys: JsonObject,
): JsonObject {
  const found = new Map<string, ReturnType<typeof rangeBuilder>>();
  for (const [position, turn] of turns.entries()) {
    const note = notes[position];
    if (note === undefined || spellingText(usualSpelling(turn, note.type, messageKeys)) === note.spelling)
      continue;
    const ranges = found.get(note.spelling) ?? rangeBuilder();
    ranges.add(position);
    found.set(note.spelling, ranges);
  }
  return Object.fromEntries([...found].map(([spelling, ranges]) => [spelling, ranges.build() as Json]));
}

/** Run ids of events that are not the artifact's: `[first, count, value]` for each stretch. */
function otherRunIds(notes: readonly EventNote[], own: Json | undefined): readonly Json[] {
  const stretches: [number, number, Json][] = [];
  for (const [position, { runId }] of notes.entries()) {
    if (runId === undefined || runId === own) continue;
    const last = stretches[stretches.length - 1];
    if (last !== undefined && last[0] + last[1] === position && last[2] === runId) last[1] += 1;
    else stretches.push([position, 1, runId]);
  }
  return stretches;
}
