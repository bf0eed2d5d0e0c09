import { appendPointer, equalJson, type Json } from '@pchronicle/storyline-core';
import {
  OPTIONAL_PAYLOADS,
  ROW_METRICS,
  type RowPlace,
  RUN_KEYS,
  STABLE_ENV,
  STATE_METRICS,
  TURN_ENV,
} from '../keys.ts';
import type { Extra } from '../message/view.ts';
import { isEmptyForm, textOf } from '../values.ts';
import { modelOf, type SessionIdentity } from './identity.ts';
import type { RowPart } from './part.ts';
import { isStable, valueAt } from './row-values.ts';

/** Keys that are consumed whatever they hold. */
const ALWAYS: { readonly [place in RowPlace]: ReadonlySet<string> } = {
  row: new Set(['session_id', 'step_id', 'created_at', ...ROW_METRICS]),
  meta: new Set(),
  state: new Set(STATE_METRICS),
};

/** What a row holds that no Storyline field has, `messages` and `response` aside (RFC-0009, residuals): pointers inside the row. */
export function rowLeftovers(part: RowPart, session: string, identity: SessionIdentity): readonly Extra[] {
  const model = modelOf(part.row);
  /** `place/key` of what has a meaning: a known key that holds null means nothing (decision O5). */
  const consumed = new Set<string>();
  const consume = (place: RowPlace, key: string, hasMeaning: (value: Json) => boolean): void => {
    const value = valueAt(part, place, key);
    if (value === null || (value !== undefined && hasMeaning(value))) consumed.add(`${place}/${key}`);
  };
  const aliases: readonly (readonly [RowPlace, key: string, Json | undefined])[] = [
    ['row', 'agent_id', identity.agent],
    ['row', 'agent_model', model],
    ['row', 'llm_model', model],
    ['row', 'env_id', session],
    ...RUN_KEYS.map((key) => ['row', key, identity.run] as const),
    ['meta', 'source', identity.agent],
    ['state', 'session_id', session],
    ['state', 'requested_model', model],
    ['state', 'llm_step_index', part.step],
    ['row', 'meta_json', undefined],
    ['meta', 'env_state', undefined],
  ];
  for (const [place, key, chosen] of aliases)
    consume(place, key, (value) => chosen !== undefined && equalJson(value, chosen));
  for (const [place, key, slot] of STABLE_ENV) consume(place, key, (value) => isStable(value, slot));
  for (const [place, key] of TURN_ENV) consume(place, key, (value) => textOf(value) !== undefined);
  for (const key of OPTIONAL_PAYLOADS) consume('row', key, isEmptyForm);

  const leftovers: Extra[] = [];
  const leave = (place: RowPlace, base: string): void => {
    const object = part[place] ?? {};
    for (const key of Object.keys(object)) {
      if (ALWAYS[place].has(key) || consumed.has(`${place}/${key}`)) continue;
      const pointer = appendPointer(base, key);
      if (place === 'row' && key === 'meta_json' && part.meta !== undefined) leave('meta', pointer);
      else if (place === 'meta' && key === 'env_state' && part.state !== undefined) leave('state', pointer);
      else leftovers.push([pointer, object[key] as Json]);
    }
  };
  leave('row', '');
  return leftovers;
}
