import {
  defined,
  type Env,
  equalJson,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  memberOf,
  setOwn,
} from '@pchronicle/storyline-core';
import { type EnvKey, ROW_METRICS, type RowPlace, STABLE_ENV, STATE_METRICS, TURN_ENV } from '../keys.ts';
import { isEmptyForm, textOf, unlessEmpty } from '../values.ts';
import type { RowPart } from './part.ts';

/** A row with its decoded objects. */
export type OpenRow = Pick<RowPart, RowPlace>;

/** The environment of a session, and what each row says of it. */
export interface SessionEnv {
  readonly stable: ReadonlyMap<EnvKey, Json>;
  readonly task?: Env;
}

/** The value of a key of a row, of its `meta_json`, or of its `env_state`. */
export function valueAt(part: OpenRow, place: RowPlace, key: string): Json | undefined {
  return memberOf(part[place], key);
}

/** Whether a value counts for a stable key: a non-empty text for name and endpoint, anything non-empty for the others. */
export function isStable(value: Json | undefined, slot: EnvKey[2]): boolean {
  return slot === undefined ? value !== '' && !isEmptyForm(value) : textOf(value) !== undefined;
}

/** The first value of each stable key in the session becomes the task's (RFC-0009, authoritative fields). */
export function readSessionEnv(rows: readonly RowPart[]): SessionEnv {
  const stable = new Map<EnvKey, Json>();
  for (const env of STABLE_ENV) {
    const [place, key, slot] = env;
    const part = rows.find((one) => isStable(valueAt(one, place, key), slot));
    if (part !== undefined) stable.set(env, valueAt(part, place, key) as Json);
  }
  return defined<SessionEnv>({ stable, task: envOf(stable) });
}

/** The environment of a response turn: what the row has of its own, and what it has differently from the session. */
export function readTurnEnv(part: RowPart, session: SessionEnv): Env | undefined {
  const own = new Map<EnvKey, Json>();
  for (const env of TURN_ENV) {
    const value = textOf(valueAt(part, env[0], env[1]));
    if (value !== undefined) own.set(env, value);
  }
  for (const [env, value] of session.stable) {
    const other = valueAt(part, env[0], env[1]);
    if (other !== undefined && isStable(other, env[2]) && !equalJson(other, value)) own.set(env, other);
  }
  return envOf(own);
}

function envOf(values: ReadonlyMap<EnvKey, Json>): Env | undefined {
  const env: MutableJsonObject = {};
  const state: MutableJsonObject = {};
  for (const [[, key, slot], value] of values)
    if (slot === undefined) setOwn(state, key, value);
    else env[slot] = value;
  if (!isEmptyForm(state)) env.state = state;
  return unlessEmpty(env) as Env | undefined;
}

/** The metrics of a response turn: the row's own keys, then those of `env_state` that the row does not have (RFC-0009, metric keys). */
export function readMetrics(part: OpenRow): JsonObject | undefined {
  const metrics: MutableJsonObject = {};
  const take = (keys: readonly string[], object: JsonObject): void => {
    for (const key of keys) {
      const value = memberOf(object, key);
      if (value !== undefined && !Object.hasOwn(metrics, key)) metrics[key] = value;
    }
  };
  take(ROW_METRICS, part.row);
  if (part.state !== undefined) take(STATE_METRICS, part.state);
  return unlessEmpty(metrics);
}
