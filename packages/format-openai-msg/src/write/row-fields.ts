import {
  effectiveEnv,
  type Json,
  type MutableJsonObject,
  memberOf,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { DEFAULT_AGENT, ROW_METRICS, RUN_KEYS, STABLE_ENV, STATE_METRICS, TURN_ENV } from '../keys.ts';
import { restore } from '../message/build.ts';
import type { Extra } from '../message/view.ts';
import { isEmptyForm, textOf } from '../values.ts';
import type { PlannedSession } from './session.ts';

/** Whether the rows of a session have to name its agent: not when reading derives the same id without. */
export function namesAgent({ story, rows, fromRows }: PlannedSession): boolean {
  const model = rows.map(({ turn }) => modelOf(story, turn, fromRows)).find((one) => one !== undefined);
  const claimed = rows.some(({ residuals }) =>
    residuals
      .get('')
      ?.some(
        ([pointer, value]) =>
          (pointer === '/agent_id' || pointer === '/meta_json/source') && textOf(value) !== undefined,
      ),
  );
  return !fromRows || claimed || story.agent.id !== (model ?? DEFAULT_AGENT);
}

/** The model that a row names: the turn's own, and, unless the Storyline came from rows, else the agent's (decision O15). */
function modelOf(story: Storyline, turn: Turn, fromRows: boolean): string | undefined {
  const model = turn.model ?? (fromRows ? undefined : story.agent.model);
  return model === '' ? undefined : model;
}

/** Adds everything but session, step, messages and response to a row; keys that the row's residuals claim are left to them (decisions O8, G12). */
export function writeRowFields(
  row: MutableJsonObject,
  { story, fromRows }: PlannedSession,
  isNamed: boolean,
  turn: Turn,
  residuals: readonly Extra[],
  fault: (pointer: string) => void,
): void {
  const taken = new Map(residuals);
  const meta: MutableJsonObject = {};
  const state: MutableJsonObject = {};
  const places = { row, meta, state };
  if (isNamed) {
    const claimed = taken.get('/agent_id');
    if (claimed === undefined) row.agent_id = story.agent.id;
    else if (textOf(claimed) === undefined) meta.source = story.agent.id;
  }
  const runKey = story.run === undefined || story.run === '' ? undefined : freeRunKey(taken);
  if (runKey !== undefined) row[runKey] = story.run as string;
  const model = modelOf(story, turn, fromRows);
  if (model !== undefined) row[taken.has('/agent_model') ? 'llm_model' : 'agent_model'] = model;
  if (turn.ts !== undefined) row.created_at = turn.ts;
  writeMetrics(row, state, turn);
  const env = effectiveEnv(story, turn);
  for (const [place, key, slot] of [...STABLE_ENV, ...TURN_ENV]) {
    const value = slot === undefined ? memberOf(env?.state, key) : env?.[slot];
    if (value !== undefined) places[place][key] = value;
  }
  if (!isEmptyForm(state)) meta.env_state = state;
  if (!isEmptyForm(meta)) row.meta_json = meta;
  restore(row, residuals, fault);
}

/** The key under which a row names its run: `job_id`, or, beside an alias of another value, one that reading prefers to it. */
function freeRunKey(taken: ReadonlyMap<string, Json>): string | undefined {
  const conflict = (textOf(taken.get('/run_bucket')) ?? textOf(taken.get('/job_id'))) !== undefined;
  if (!conflict && !taken.has('/job_id')) return 'job_id';
  return RUN_KEYS.find((key) => !taken.has(`/${key}`));
}

function writeMetrics(row: MutableJsonObject, state: MutableJsonObject, turn: Turn): void {
  for (const key of ROW_METRICS) {
    const value = memberOf(turn.metrics, key);
    if (value !== undefined) row[key] = value;
  }
  for (const key of STATE_METRICS) {
    const value = memberOf(turn.metrics, key);
    // A `created_at` of the row itself is another one.
    if (value !== undefined && (key === 'created_at' || !Object.hasOwn(row, key))) state[key] = value;
  }
  if (turn.latency_ms !== undefined && !Object.hasOwn(state, 'total_latency_ms'))
    state.total_latency_ms = turn.latency_ms;
  if (turn.ttft_ms !== undefined && !Object.hasOwn(state, 'ttft_ms')) state.ttft_ms = turn.ttft_ms;
}
