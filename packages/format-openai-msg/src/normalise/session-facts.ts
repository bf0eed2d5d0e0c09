import { getOwn, isJsonObject, type Json, type JsonObject, parseText } from '@pchronicle/storyline-core';
import { isVoid } from './message.ts';

/** Keys of a row that name its run, the first with a text counts. */
export const RUNS = ['run_id', 'run_bucket', 'job_id'];
/** Where the values that a session shares stand. */
export const STABLE: readonly (readonly ['row' | 'meta' | 'state', string])[] = [
  ['row', 'env_name'],
  ['row', 'dataset_type'],
  ['row', 'dt'],
  ['meta', 'group_id'],
  ['state', 'endpoint'],
  ['state', 'redaction_policy'],
  ['state', 'upstream_base_url'],
  ['state', 'weight_version'],
];

/** A row taken apart: its own keys, and those of `meta_json` and `env_state` where these are objects. */
export interface OpenRow {
  readonly row: JsonObject;
  readonly meta: JsonObject | undefined;
  readonly state: JsonObject | undefined;
}

/** Opens a row: normalisation 3, objects in texts. */
export function openRow(row: JsonObject): OpenRow {
  const object = (value: Json | undefined): JsonObject | undefined => {
    const found = typeof value === 'string' ? parseText(value) : value;
    return isJsonObject(found) ? found : undefined;
  };
  const meta = object(getOwn(row, 'meta_json'));
  return { row, meta, state: meta === undefined ? undefined : object(getOwn(meta, 'env_state')) };
}

/** What all rows of a session share. */
export interface SessionFacts {
  readonly session: string;
  readonly run: string | undefined;
  readonly agent: string;
  readonly writesAgent: boolean;
  readonly stable: ReadonlyMap<string, Json>;
}

/** A text that is not empty. */
export const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
/** The model that a row names. */
export const modelOf = ({ row }: OpenRow): string | undefined =>
  text(getOwn(row, 'agent_model')) ?? text(getOwn(row, 'llm_model'));

function stableValue(open: OpenRow, place: 'row' | 'meta' | 'state', key: string): Json | undefined {
  const value = open[place] === undefined ? undefined : getOwn(open[place], key);
  if (value === undefined || value === '' || isVoid(value)) return undefined;
  return (key === 'env_name' || key === 'endpoint') && typeof value !== 'string' ? undefined : value;
}

/** Gathers the facts of a session from its rows in ascending order of their steps. */
export function sessionFacts(rows: readonly OpenRow[]): SessionFacts {
  const first = <T>(pick: (open: OpenRow) => T | undefined): T | undefined => firstOf(rows, pick);
  const session = String(getOwn((rows[0] as OpenRow).row, 'session_id'));
  const model = first(modelOf);
  const source = ({ meta }: OpenRow): string | undefined =>
    meta === undefined ? undefined : text(getOwn(meta, 'source'));
  const named = first(({ row }) => text(getOwn(row, 'agent_id')));
  const agent = named ?? first(source) ?? model ?? 'openai-import';
  const claimed = rows.some((open) => {
    const id = text(getOwn(open.row, 'agent_id'));
    const own = source(open);
    return (id !== undefined && id !== agent) || (own !== undefined && own !== agent);
  });
  const stable = new Map<string, Json>();
  for (const [place, key] of STABLE) {
    const value = first((open) => stableValue(open, place, key));
    if (value !== undefined) stable.set(key, value);
  }
  return {
    session,
    run: first(({ row }) => firstOf(RUNS, (key) => text(getOwn(row, key)))),
    agent,
    writesAgent: claimed || agent !== (model ?? 'openai-import'),
    stable,
  };
}

/** The first thing that is found in one of several. */
function firstOf<From, Found>(
  list: readonly From[],
  pick: (one: From) => Found | undefined,
): Found | undefined {
  for (const one of list) {
    const found = pick(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
