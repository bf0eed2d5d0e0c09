import {
  type Env,
  equalJson,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { type EnvPlace, STABLE_ENV, type StableEnvKey, TURN_ENV } from '../keys.ts';
import { isEmptyForm } from '../message/has-value.ts';
import type { RowPart } from './part.ts';

/** The environment of a session, and what each row says of it. */
export interface SessionEnv {
  readonly stable: ReadonlyMap<StableEnvKey, Json>;
  readonly task?: Env;
}

/** The object of a row in which a key stands. */
export function objectAt(
  part: Pick<RowPart, 'row' | 'meta' | 'state'>,
  place: EnvPlace,
): JsonObject | undefined {
  return place === 'row' ? part.row : place === 'meta' ? part.meta : part.state;
}

/** The value of an environment key in a row, when it has one that counts: texts for name and endpoint, anything non-empty for the others. */
export function stableValue(
  part: Pick<RowPart, 'row' | 'meta' | 'state'>,
  key: StableEnvKey,
): Json | undefined {
  const object = objectAt(part, key.place);
  const value = object === undefined ? undefined : getOwn(object, key.key);
  if (value === undefined || value === '' || isEmptyForm(value)) return undefined;
  return key.slot !== undefined && typeof value !== 'string' ? undefined : value;
}

/** The first value of each stable key in the session becomes the task's (RFC-0009, authoritative fields). */
export function readSessionEnv(rows: readonly RowPart[]): SessionEnv {
  const stable = new Map<StableEnvKey, Json>();
  for (const key of STABLE_ENV) {
    for (const part of rows) {
      const value = stableValue(part, key);
      if (value === undefined) continue;
      stable.set(key, value);
      break;
    }
  }
  const task = envOf(stable, {});
  return { stable, ...(task === undefined ? {} : { task }) };
}

/** The environment of a response turn: what the row has of its own, and what it has differently from the session. */
export function readTurnEnv(part: RowPart, session: SessionEnv): Env | undefined {
  const differing = new Map<StableEnvKey, Json>();
  for (const [key, value] of session.stable) {
    const own = stableValue(part, key);
    if (own !== undefined && !equalJson(own, value)) differing.set(key, own);
  }
  const slots: { [slot: string]: string } = {};
  for (const { place, key, slot } of TURN_ENV) {
    const object = objectAt(part, place);
    const value = object === undefined ? undefined : getOwn(object, key);
    if (typeof value === 'string' && value !== '') slots[slot] = value;
  }
  return envOf(differing, slots);
}

function envOf(
  values: ReadonlyMap<StableEnvKey, Json>,
  slots: { readonly [slot: string]: string },
): Env | undefined {
  const texts: { [slot: string]: string } = { ...slots };
  const state: MutableJsonObject = {};
  for (const [key, value] of values) {
    if (key.slot !== undefined) texts[key.slot] = value as string;
    else setOwn(state, key.key, value);
  }
  const env: Env = { ...texts, ...(Object.keys(state).length > 0 ? { state } : {}) };
  return Object.keys(env).length > 0 ? env : undefined;
}
