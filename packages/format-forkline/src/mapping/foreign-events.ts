import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { timeText } from './time-text.ts';
import { hasUsage, messageKeysOf, typeOf } from './vocabulary.ts';

/** Whether a turn is one event: a message, or one tool call and nothing said. */
export function isOneToOne(turn: Turn): boolean {
  const calls = turn.tool_calls?.length ?? 0;
  return calls === 0 || (calls === 1 && (turn.msg === null || turn.msg === ''));
}

/**
 * The events of a Storyline from another format: what a turn says is one event, each of its tool calls another, with the result
 * that answers it. Numbered from 1, because turn ids would not be unique.
 */
export function foreignEvents(storyline: Storyline, runId: Json): Json[] {
  const events: Json[] = [];
  const results = resultsById(storyline);
  for (const turn of storyline.turns) {
    const calls = turn.tool_calls ?? [];
    const add = (type: string, payload: JsonObject): void => {
      const event_id = events.length + 1;
      events.push({ event_id, run_id: runId, ts: timeText(turn.ts) ?? '', type, payload });
    };
    const says = turn.msg !== null && turn.msg !== '';
    if (says || calls.length === 0) {
      const type = turn.env?.event_type ?? typeOf(turn.src, false);
      const payload: MutableJsonObject = {};
      if (turn.msg !== null) payload[messageKeysOf(type)[0] ?? 'message'] = turn.msg;
      if (turn.model !== undefined) payload.model = turn.model;
      if (turn.metrics !== undefined && hasUsage(type)) payload.usage = turn.metrics;
      add(type, payload);
    }
    for (const call of calls) add('tool_call', callPayload(call, results.get(call.tcid), turn, says));
  }
  return events;
}

function callPayload(call: ToolCall, result: JsonObject | undefined, turn: Turn, says: boolean): JsonObject {
  const payload: MutableJsonObject = { tool_name: call.fn, invocation_id: call.tcid, request: call.args };
  if (call.duration_ms !== undefined) payload.timing = { duration_ms: call.duration_ms };
  const content = result?.content ?? call.result;
  if (content !== undefined) payload.response = content;
  if (result?.error !== undefined) payload.error = result.error;
  if (!says && turn.model !== undefined) payload.model = turn.model;
  return payload;
}

/** Results of tool calls anywhere in the Storyline, by the call that they answer. */
function resultsById(storyline: Storyline): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const { observation } of storyline.turns) {
    const results = isJsonObject(observation) ? observation.results : undefined;
    for (const result of isJsonArray(results) ? results : []) {
      if (!isJsonObject(result)) continue;
      const id = result.source_call_id;
      if (typeof id === 'string' && !found.has(id)) found.set(id, result);
    }
  }
  return found;
}
