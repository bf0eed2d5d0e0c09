import {
  equalJson,
  type Json,
  type JsonInteger,
  type MutableJsonObject,
  memberOf,
  stringify,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import type { MessageForm } from '../history/recipe.ts';
import { buildMessage } from '../message/build.ts';
import { argumentsText, contentOf, decodeContent, embeddedCalls } from '../message/content.ts';
import { listOf, textOf } from '../values.ts';

/** The message of a turn; the content of parts spelled in a text is written as parts (RFC-0009, accepted shapes). */
export function turnMessage(turn: Turn, calls: readonly ToolCall[], form: MessageForm): MutableJsonObject {
  const role = turn.src === 'agent' ? 'assistant' : turn.src === 'developer' ? 'system' : turn.src;
  return buildMessage({
    role,
    content: decodeContent(turn.msg),
    withoutContent: form.withoutContent && turn.msg === null,
    calls: calls.map((call) => ({ id: call.tcid, name: call.fn, text: argumentsText(call.args) })),
    reason: role === 'assistant' ? turn.reason : undefined,
    positions: form.positions?.length === calls.length ? form.positions : undefined,
  });
}

/** The calls of a turn that are written: not those that reading finds again in the markup of its content (decision O4), unless they were structured. */
export function structuredCalls(turn: Turn, step: JsonInteger): readonly ToolCall[] {
  const calls = turn.tool_calls ?? [];
  if (calls.length === 0) return calls;
  const spelled = embeddedCalls(decodeContent(turn.msg), step);
  const again =
    spelled.length === calls.length &&
    calls.every(({ args, fn, kind, tcid }, index) => {
      const call = spelled[index] as ToolCall;
      return (
        kind !== 'function' && fn === call.fn && tcid.startsWith(call.tcid) && equalJson(args, call.args)
      );
    });
  return again ? [] : calls;
}

/** A result of a turn that can be written: it names the call it answers. */
export interface WrittenResult {
  readonly callId: string;
  readonly content: Json;
}

/**
 * The results of a turn: those of its observation that name their call, then those that only the call itself holds (a command's output in
 * ACTF), as text. An assistant's call without a tool message behind it is no usable history. Others have no place in a row.
 */
export function linkedResults(turn: Turn): readonly WrittenResult[] {
  const observed = observedResults(turn);
  const answered = new Set(observed.map(({ callId }) => callId));
  const held = (turn.tool_calls ?? []).flatMap(({ tcid, result }) =>
    result === undefined || answered.has(tcid)
      ? []
      : [{ callId: tcid, content: decodeContent(typeof result === 'string' ? result : stringify(result)) }],
  );
  return [...observed, ...held];
}

function observedResults(turn: Turn): readonly WrittenResult[] {
  return resultsOf(turn).flatMap((result) => {
    const callId = textOf(memberOf(result, 'source_call_id'));
    return callId === undefined ? [] : [{ callId, content: contentOf(result) }];
  });
}

/** The results in the observation of a turn. */
export function resultsOf({ observation }: Turn): readonly Json[] {
  return listOf(memberOf(observation, 'results'));
}

/** What stands for a result that a recipe speaks of and the turn does not have. */
const noResult: WrittenResult = { callId: '', content: null };

/** The tool message of a result. */
export function resultMessage(
  { callId, content }: WrittenResult = noResult,
  form: MessageForm,
): MutableJsonObject {
  return buildMessage({
    role: 'tool',
    callId,
    content,
    withoutContent: form.withoutContent && content === null,
    calls: [],
  });
}
