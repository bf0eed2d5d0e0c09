import { appendPointer, equalJson, getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { OPTIONAL_PAYLOADS, ROW_METRICS, RUN_KEYS, STABLE_ENV, STATE_METRICS, TURN_ENV } from '../keys.ts';
import { isEmptyForm } from '../message/has-value.ts';
import type { Extra } from '../message/view.ts';
import { objectAt, stableValue } from './env.ts';
import { modelOf, type SessionIdentity } from './identity.ts';
import type { RowPart } from './part.ts';

/** Keys that are consumed whatever they hold. */
const ALWAYS: ReadonlySet<string> = new Set(['session_id', 'step_id', 'created_at', ...ROW_METRICS]);
const STATE_ALWAYS: ReadonlySet<string> = new Set(STATE_METRICS);

/** Keys that mean nothing when they hold null (decision O5). */
const KNOWN = {
  row: new Set<string>([
    'agent_id',
    'agent_model',
    'llm_model',
    ...RUN_KEYS,
    'env_name',
    'env_id',
    'dataset_type',
    'dt',
    'id',
    'meta_json',
  ]),
  meta: new Set<string>(['source', 'group_id', 'env_state']),
  state: new Set<string>([
    'session_id',
    'requested_model',
    'llm_step_index',
    'endpoint',
    'event_type',
    'request_id',
    'redaction_policy',
    'upstream_base_url',
    'weight_version',
  ]),
};

/** What a row holds that no Storyline field has, `messages` and `response` aside (RFC-0009, residuals): pointers inside the row. */
export function rowLeftovers(part: RowPart, session: string, identity: SessionIdentity): readonly Extra[] {
  const { row, meta, state } = part;
  const leftovers: Extra[] = [];
  const model = modelOf(row);
  const aliases: readonly (readonly [JsonObject | undefined, string, Json | undefined])[] = [
    [row, 'agent_id', identity.agent],
    [row, 'agent_model', model],
    [row, 'llm_model', model],
    [row, 'env_id', session],
    ...RUN_KEYS.map((key) => [row, key, identity.run] as const),
    [meta, 'source', identity.agent],
    [state, 'session_id', session],
    [state, 'requested_model', model],
    [state, 'llm_step_index', part.step],
  ];
  const consumed = new Map<JsonObject, Set<string>>();
  const consume = (object: JsonObject | undefined, key: string): void => {
    if (object !== undefined) consumed.set(object, (consumed.get(object) ?? new Set()).add(key));
  };
  for (const [object, key, value] of aliases) {
    const own = object === undefined ? undefined : getOwn(object, key);
    if (own !== undefined && value !== undefined && equalJson(own, value)) consume(object, key);
  }
  for (const key of STABLE_ENV)
    if (stableValue(part, key) !== undefined) consume(objectAt(part, key.place), key.key);
  for (const { place, key } of TURN_ENV) {
    const object = objectAt(part, place);
    const value = object === undefined ? undefined : getOwn(object, key);
    if (typeof value === 'string' && value !== '') consume(object, key);
  }
  for (const key of OPTIONAL_PAYLOADS) if (isEmptyForm(getOwn(row, key))) consume(row, key);
  const leave = (
    object: JsonObject,
    base: string,
    always: ReadonlySet<string>,
    known: ReadonlySet<string>,
  ): void => {
    for (const key of Object.keys(object)) {
      const value = object[key] as Json;
      if (always.has(key) || (value === null && known.has(key)) || consumed.get(object)?.has(key) === true)
        continue;
      const inner =
        object === row && key === 'meta_json'
          ? meta
          : object === meta && key === 'env_state'
            ? state
            : undefined;
      const pointer = appendPointer(base, key);
      if (inner === undefined) leftovers.push([pointer, value]);
      else
        leave(
          inner,
          pointer,
          inner === state ? STATE_ALWAYS : new Set(),
          inner === state ? KNOWN.state : KNOWN.meta,
        );
    }
  };
  leave(row, '', ALWAYS, KNOWN.row);
  return leftovers;
}
