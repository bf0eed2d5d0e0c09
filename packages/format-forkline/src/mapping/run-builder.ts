import {
  appendPointer,
  getOwn,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  type Report,
  residuals,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { assignCallIds, type PendingCall } from './call-ids.ts';
import { type DatabaseRun, STEP_KEY } from './database-run.ts';
import { environments } from './environments.ts';
import { lackedKeys, mapPayload, turnIdOf, typeTextOf } from './event-to-turn.ts';
import { mapHead } from './head-to-storyline.ts';
import { joinLayout } from './join-layout.ts';
import { layoutOf } from './layout.ts';
import { tagNonFinite } from './non-finite.ts';
import { spellingText } from './spelling.ts';
import { tally } from './tally.ts';
import { isTimeText } from './times.ts';
import { EVENT_KEYS, SOURCE, sourceOf } from './vocabulary.ts';

/** How a run is built. */
export interface RunOptions {
  /** Values come from Python (a database, or compatibility mode), not from strict JSON that may hold our tags. */
  readonly python: boolean;
  /** Wrong types of root fields get a placeholder and a residual instead of an error (decision F4). */
  readonly lenient: boolean;
  /** Whether the artifact has a list of events; without one it is written back without one. */
  readonly hasEvents: boolean;
  /** What the run was in its database. */
  readonly database?: DatabaseRun;
}

/** Builds one Storyline out of an artifact's head and its events, which come one by one. */
export interface RunBuilder {
  add(event: Json): void;
  /** The Storyline; `undefined` after an error. */
  finish(): Storyline | undefined;
}

/** What the layout needs to know of one event. */
export interface EventNote {
  readonly id: Json | undefined;
  readonly runId: Json | undefined;
  readonly spelling: string;
  readonly type: string;
}

/** Starts a run. `head` is the migrated artifact without its events. */
export function runBuilder(
  head: JsonObject,
  sourceVersion: string,
  options: RunOptions,
  report: Report,
): RunBuilder {
  const found = tally();
  const tagged = (value: Json, pointer: string): Json => {
    const { value: result, count } = tagNonFinite(value, options.python);
    if (count > 0) found.add('nonFinite', pointer, count);
    return result;
  };
  const cleanHead = tagged(head, '') as JsonObject;
  const mapped = mapHead(cleanHead, head, sourceVersion, options, report, found);
  const keep = residuals(SOURCE, mapped?.documentId ?? '');
  for (const [pointer, value] of mapped?.residuals ?? []) keep.add(pointer, value);
  const runId = getOwn(cleanHead, 'run_id');
  const turns: (Turn & { id: JsonInteger })[] = [];
  const notes: EventNote[] = [];
  const calls: PendingCall[] = [];
  const environment = environments(options.database?.steps ?? []);
  const seen = new Set<number | string>();
  let idsFit = true;
  let failed = false;

  return {
    add(raw) {
      const position = notes.length;
      const pointer = `/events/${position}`;
      if (!isJsonObject(raw)) {
        failed = true;
        report('error', 'forkline/event-not-an-object', pointer, 'an event must be an object');
        return;
      }
      const event = tagged(raw, pointer) as JsonObject;
      const stepIdx = options.database?.model === 'tracer' ? getOwn(event, STEP_KEY) : undefined;
      const type = typeTextOf(event);
      const payload = mapPayload(type, getOwn(event, 'payload'));
      const id = getOwn(event, 'event_id');
      const turnId = turnIdOf(id);
      const idKey = typeof turnId === 'object' ? turnId.raw : turnId;
      if (idKey === undefined || seen.has(idKey)) idsFit = false;
      else seen.add(idKey);
      const ts = getOwn(event, 'ts');
      const isTime = isTimeText(ts);
      if (!isTime && ts !== undefined) {
        keep.add(`${pointer}/ts`, ts);
        found.add('time', `${pointer}/ts`);
      }
      const hasType = typeof getOwn(event, 'type') === 'string';
      if (!hasType && Object.hasOwn(event, 'type')) {
        keep.add(`${pointer}/type`, getOwn(event, 'type') ?? null);
        found.add('type', `${pointer}/type`);
      }
      for (const key of ['run_id', 'ts', 'type'] as const) {
        const value = getOwn(event, key);
        if (value === undefined || value === '') found.add('emptyField', `${pointer}/${key}`);
      }
      const lacks = lackedKeys(event);
      const keys = Object.keys(event);
      if (keys.length > EVENT_KEYS.length - lacks.length + (stepIdx === undefined ? 0 : 1)) {
        for (const key of keys) {
          if ((EVENT_KEYS as readonly string[]).includes(key)) continue;
          if (key === STEP_KEY && stepIdx !== undefined) continue;
          keep.add(appendPointer(pointer, key), event[key] ?? null);
        }
      }
      const ownRun = getOwn(event, 'run_id');
      if (ownRun !== undefined && ownRun !== runId) found.add('runId', `${pointer}/run_id`);
      const { msg, ...members } = payload.members;
      const env = environment(hasType ? type : undefined, stepIdx);
      const turn = {
        id: turnId ?? position + 1,
        src: sourceOf(type),
        msg,
        ...(isTime ? { ts } : {}),
        ...(env === undefined ? {} : { env }),
        ...members,
      };
      turns.push(turn);
      if (payload.call !== undefined) calls.push({ turn, position, literal: payload.callId });
      const { message, call } = payload;
      notes.push({
        id,
        runId: ownRun,
        type,
        spelling: spellingText({
          lacks,
          ...(message === undefined ? {} : { message }),
          ...(call === undefined ? {} : { call }),
        }),
      });
    },
    finish() {
      found.tell(report);
      if (failed || mapped === undefined) return undefined;
      if (!idsFit) {
        for (const [position, turn] of turns.entries()) turn.id = position + 1;
      }
      assignCallIds(calls, report, (pointer, value) => keep.add(pointer, value));
      const { hasEvents, database } = options;
      const layout = layoutOf({ head: cleanHead, mapped, turns, notes, idsFit, hasEvents, database });
      return { ...mapped.head, turns, ...joinLayout(keep.build(), layout, mapped.documentId) };
    },
  };
}
