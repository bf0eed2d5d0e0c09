import {
  equalJson,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { isVoid } from './message.ts';
import { modelOf, type OpenRow, RUNS, type SessionFacts, STABLE, text } from './session-facts.ts';

const BOTH = ['is_truncated', 'is_session_completed'];
const PAYLOADS = [
  'blob_manifest',
  'chosen_response',
  'rejected_response',
  'ground_truth_answer',
  'reference_answer',
];
const NULLS = {
  row: [
    'created_at',
    'agent_id',
    'agent_model',
    'llm_model',
    ...RUNS,
    'env_name',
    'env_id',
    'dataset_type',
    'dt',
    'id',
    'meta_json',
  ],
  meta: ['source', 'group_id', 'env_state'],
  state: [
    'session_id',
    'requested_model',
    'llm_step_index',
    'endpoint',
    'event_type',
    'request_id',
    'redaction_policy',
    'upstream_base_url',
    'weight_version',
  ],
};
/** Normalises the keys of a row besides its messages and response. */
export function normaliseRow(open: OpenRow, facts: SessionFacts): MutableJsonObject {
  const { row, meta, state } = open;
  const model = modelOf(open);
  const is = (object: JsonObject, key: string, value: Json | undefined): boolean =>
    value !== undefined && equalJson(getOwn(object, key) ?? null, value);
  const keep = (object: JsonObject, dropped: (key: string, value: Json) => boolean): MutableJsonObject => {
    const kept: MutableJsonObject = {};
    for (const key of Object.keys(object))
      if (!dropped(key, object[key] as Json)) setOwn(kept, key, object[key] as Json);
    return kept;
  };
  const newRow = keep(row, (key, value) => {
    if (key === 'messages' || key === 'response') return true;
    if (value === null && NULLS.row.includes(key)) return true;
    if (PAYLOADS.includes(key)) return isVoid(value);
    if (RUNS.includes(key)) return is(row, key, facts.run);
    if (key === 'agent_id') return is(row, key, facts.agent);
    if (key === 'agent_model' || key === 'llm_model') return is(row, key, model);
    return key === 'env_id' && is(row, key, facts.session);
  });
  const newMeta =
    meta &&
    keep(
      meta,
      (key, value) =>
        (value === null && NULLS.meta.includes(key)) || (key === 'source' && is(meta, key, facts.agent)),
    );
  const newState =
    state &&
    keep(state, (key, value) => {
      if (value === null && NULLS.state.includes(key)) return true;
      if (BOTH.includes(key)) return true;
      if (key === 'session_id') return is(state, key, facts.session);
      if (key === 'requested_model') return is(state, key, model);
      return key === 'llm_step_index' && is(state, key, getOwn(row, 'step_id'));
    });
  for (const key of BOTH) {
    const value = state === undefined ? undefined : getOwn(state, key);
    if (value !== undefined && !Object.hasOwn(newRow, key)) newRow[key] = value;
  }
  const added: { row: MutableJsonObject; meta: MutableJsonObject; state: MutableJsonObject } = {
    row: newRow,
    meta: newMeta ?? {},
    state: newState ?? {},
  };
  for (const [place, key] of STABLE) {
    const value = facts.stable.get(key);
    if (value !== undefined && !Object.hasOwn(added[place], key)) added[place][key] = value;
  }
  if (facts.writesAgent) {
    const taken = getOwn(newRow, 'agent_id');
    if (taken === undefined) newRow.agent_id = facts.agent;
    else if (text(taken) === undefined && !Object.hasOwn(added.meta, 'source'))
      added.meta.source = facts.agent;
  }
  if (facts.run !== undefined) {
    const conflict = text(newRow.run_bucket) !== undefined || text(newRow.job_id) !== undefined;
    const key =
      conflict || Object.hasOwn(newRow, 'job_id')
        ? RUNS.find((name) => !Object.hasOwn(newRow, name))
        : 'job_id';
    if (key !== undefined) newRow[key] = facts.run;
  }
  if (model !== undefined) newRow[Object.hasOwn(newRow, 'agent_model') ? 'llm_model' : 'agent_model'] = model;
  closeRow(open, added);
  return newRow;
}

/** Puts `env_state` into `meta_json` and that into the row, unless the row has something else there. */
function closeRow(
  open: OpenRow,
  { row, meta, state }: { row: MutableJsonObject; meta: MutableJsonObject; state: MutableJsonObject },
): void {
  if (open.meta === undefined && Object.hasOwn(row, 'meta_json')) return;
  const other = open.state === undefined && Object.hasOwn(meta, 'env_state');
  if (!other) {
    delete meta.env_state;
    if (Object.keys(state).length > 0) meta.env_state = state;
  }
  delete row.meta_json;
  if (Object.keys(meta).length > 0) row.meta_json = meta;
}
