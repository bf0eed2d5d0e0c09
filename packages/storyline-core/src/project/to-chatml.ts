import type { Report } from '../issue.ts';
import { stringify } from '../json/stringify.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '../json/value.ts';
import { effectivePrompt } from '../storyline/effective-prompt.ts';
import type { Storyline, ToolCall, Turn } from '../storyline.ts';
import { objectOf } from './chain-state.ts';
import { messageContent, messageText } from './message-text.ts';

/** A ChatML document: `messages` have a `role` and `content`; calls and results are joined by id. */
export interface ChatmlDocument extends JsonObject {
  readonly format: 'ankole_chatml';
  readonly version: 1;
  readonly messages: readonly JsonObject[];
}

/** A ChatML document and which turn each message came from (position in `turns`). */
export interface ChatmlProjection {
  readonly document: ChatmlDocument;
  readonly turns: readonly number[];
}

/**
 * Projects turns of a Storyline to ChatML messages: prompts where they change, then each turn's own message with its calls, then the
 * results in their order. Nothing is dropped: what has no message of its own (a turn without message, calls and results) is reported.
 * The Storyline is not changed.
 */
export function toChatml(
  storyline: Storyline,
  report: Report,
  turns: readonly Turn[] = storyline.turns,
): ChatmlProjection {
  const messages: JsonObject[] = [];
  const origins: number[] = [];
  const shown = { system: '', user: '' };
  turns.forEach((turn, at) => {
    const add = (message: JsonObject): void => {
      messages.push(message);
      origins.push(at);
    };
    const before = messages.length;
    addPrompts(storyline, turn, shown, add);
    addTurn(turn, add);
    addResults(turn, at, add, report);
    if (messages.length === before) {
      report(
        'info',
        'core/no-message',
        `/turns/${at}`,
        `turn ${String(turn.id)} has no message, no call and no result, so it gives no ChatML message`,
      );
    }
  });
  return { document: { format: 'ankole_chatml', version: 1, messages }, turns: origins };
}

/** Prompts are messages where they differ from the last ones shown; context that was copied in had its own. */
function addPrompts(
  storyline: Storyline,
  turn: Turn,
  shown: { system: string; user: string },
  add: (message: JsonObject) => void,
): void {
  if (turn.copied === true) return;
  const prompt = effectivePrompt(storyline, turn);
  for (const [side, role] of [
    ['system', 'system'],
    ['user', 'user'],
  ] as const) {
    if (prompt[side] !== '' && prompt[side] !== shown[side]) add({ role, content: prompt[side] });
    if (prompt[side] !== '') shown[side] = prompt[side];
  }
}

function addTurn(turn: Turn, add: (message: JsonObject) => void): void {
  const calls = turn.tool_calls ?? [];
  if (turn.msg === null && calls.length === 0 && turn.reason === undefined) return;
  const assistant = turn.src === 'agent';
  const message: MutableJsonObject = {
    id: String(turn.id),
    role: assistant ? 'assistant' : turn.src,
    content: assistant ? messageText(turn.msg) : messageContent(turn.msg),
  };
  if (turn.reason !== undefined && turn.reason !== '') message.reasoning_content = turn.reason;
  if (calls.length > 0) message.tool_calls = calls.map(callOf);
  add(message);
}

function callOf(call: ToolCall): JsonObject {
  const namespace = getOwn(objectOf(call.extra) ?? {}, 'namespace');
  return {
    id: call.tcid,
    type: 'function',
    function: {
      name: call.fn,
      arguments: typeof call.args === 'string' ? call.args : stringify(call.args),
      ...(typeof namespace === 'string' ? { namespace } : {}),
    },
  };
}

/** Results of a turn in their order; a call whose result lies only in the call itself comes last. */
function addResults(turn: Turn, at: number, add: (message: JsonObject) => void, report: Report): void {
  const calls = turn.tool_calls ?? [];
  const answered = new Set<string>();
  const results = resultsOf(turn.observation);
  const references = results.map(referenceOf);
  const open = calls.filter((call) => !references.includes(call.tcid));
  results.forEach((result, index) => {
    const reference =
      references[index] ?? (open.length === 1 && results.length === 1 ? open[0]?.tcid : undefined);
    const content = isJsonObject(result) && Object.hasOwn(result, 'content') ? result.content : result;
    if (reference === undefined) {
      report(
        'info',
        'core/unreferenced-result',
        `/turns/${at}/observation/results/${index}`,
        'this observation names no call; it is shown as a user message',
      );
      add({ role: 'user', content: messageContent(content ?? null) });
      return;
    }
    answered.add(reference);
    add(
      resultOf(
        reference,
        calls.find((call) => call.tcid === reference),
        result,
        content,
      ),
    );
  });
  for (const call of calls) {
    if (call.result !== undefined && !answered.has(call.tcid))
      add(resultOf(call.tcid, call, {}, call.result));
  }
}

function resultsOf(observation: Json | undefined): readonly Json[] {
  if (observation === undefined) return [];
  const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
  return isJsonArray(results) ? results : [observation];
}

function referenceOf(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined;
  for (const key of ['source_call_id', 'tool_call_id', 'tool_use_id']) {
    const id = getOwn(result, key);
    if (typeof id === 'string' && id !== '') return id;
  }
  return undefined;
}

const METADATA = ['status', 'exit_code', 'duration_ms', 'success'] as const;

function resultOf(
  reference: string,
  call: ToolCall | undefined,
  result: Json,
  content: Json | undefined,
): JsonObject {
  const own = isJsonObject(result) ? result : {};
  const extra = objectOf(call?.extra) ?? {};
  const metadata: MutableJsonObject = {};
  for (const key of METADATA) {
    const value =
      getOwn(own, key) ??
      getOwn((call?.response ?? {}) as JsonObject, key) ??
      (key === 'duration_ms' ? call?.duration_ms : undefined);
    if (value !== undefined) metadata[key] = value;
  }
  const mechanism = getOwn(extra, 'execution_mechanism');
  if (mechanism !== undefined) metadata.execution_mechanism = mechanism;
  const namespace = getOwn(extra, 'namespace');
  const name = call?.fn ?? getOwn(own, 'name');
  return {
    role: 'tool',
    tool_call_id: reference,
    name: typeof name === 'string' ? name : 'unknown',
    content: messageText(content),
    ...(typeof namespace === 'string' ? { namespace } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}
