import {
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { uniqueCallIds } from './call-ids.ts';
import { checkShape, checkTime } from './check-shape.ts';
import { isFilled } from './emptiness.ts';
import { type CallPart, type Content, type Keep, keepRest, readContent } from './openclaw-content.ts';
import { type Draft, type EventMessage, foldResult } from './openclaw-results.ts';
import { quote } from './quote.ts';
import { METRIC } from './shapes.ts';

/** Reads messages into turns; `folded` is the number of tool results that went into a call. */
export function readMessages(
  messages: readonly EventMessage[],
  keep: Keep,
  report: Report,
): { readonly turns: readonly Turn[]; readonly folded: number } {
  const read = ({ message, role, at }: EventMessage): Content =>
    readContent(message.content, `${at}/message/content`, role === 'assistant', keep);
  // What assistants say is read first: an id is reserved before any other call may be renamed to it.
  const said = new Map(
    messages.flatMap((one) => (one.role === 'assistant' ? [[one, read(one)] as const] : [])),
  );
  const ids = uniqueCallIds(
    messages.map((one) => ({ turn: one.id, ids: (said.get(one)?.calls ?? []).map((call) => call.id) })),
  );
  const drafts: Draft[] = [];
  const open = new Map<string, { readonly draft: Draft; readonly call: MutableJsonObject }>();
  const unmatched: EventMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const answers = message.role === 'toolResult' ? message.message.toolCallId : undefined;
    if (typeof answers === 'string') {
      const target = open.get(answers);
      if (target !== undefined) foldResult(message, answers, target.draft, target.call, keep);
      else {
        unmatched.push(message);
        keep(message.at, message.event);
      }
      continue;
    }
    const content = said.get(message) ?? read(message);
    const draft = startTurn(message, content, keep, report);
    for (const [position, part] of content.calls.entries()) {
      const tcid = ids[index]?.[position] ?? part.id;
      if (tcid !== part.id) keepReusedId(part, tcid, keep, report);
      const call: MutableJsonObject = { tcid, fn: part.name, args: part.args, kind: 'function' };
      draft.calls.push(call);
      open.set(part.id, { draft, call });
    }
    drafts.push(draft);
  }
  const [first] = unmatched;
  if (first !== undefined) {
    const text = `tool results that answer no call: ${unmatched.length}, the first of them ${quote(String(first.message.toolCallId))}; kept aside`;
    report('warning', 'actf/unmatched-tool-result', first.at, text);
  }
  return { turns: drafts.map(finish), folded: messages.length - drafts.length - unmatched.length };
}

function keepReusedId(part: CallPart, tcid: string, keep: Keep, report: Report): void {
  keep(`${part.at}/id`, part.id);
  const message = `the tool id ${quote(part.id)} was used by an earlier call of this attempt; this call is ${quote(tcid)}`;
  report('info', 'actf/reused-tool-id', `${part.at}/id`, message);
}

function startTurn(
  { id, role, event, message, at }: EventMessage,
  content: Content,
  keep: Keep,
  report: Report,
): Draft {
  const { timestamp } = event;
  const timed = typeof timestamp === 'string' && checkTime(timestamp, 'timestamp', `${at}/timestamp`, report);
  keepRest(event, ['type', 'message', ...(timed ? ['timestamp'] : [])], at, keep);
  const agent = role === 'assistant';
  const modelled = isFilled(message.model) && role !== 'toolResult';
  const measured = agent && isJsonObject(message.usage) && checkShape(message.usage, METRIC, '', () => {});
  const used = ['role', 'content', ...(modelled ? ['model'] : []), ...(measured ? ['usage'] : [])];
  keepRest(message, used, `${at}/message`, keep);
  return {
    turn: {
      id,
      src: role === 'user' ? 'user' : 'agent',
      msg: content.text ?? '',
      ...(content.calls.length > 0 ? { kind: 'autonomous' } : {}),
      ...(timed ? { ts: timestamp } : {}),
      ...(content.thinking === undefined ? {} : { reason: content.thinking }),
      ...(measured ? { metrics: message.usage as Json } : {}),
      ...(role === 'toolResult' ? { extra: strayResult(message) } : {}),
      ...(modelled ? { model: message.model as string } : {}),
      ...(agent ? { nllm: 1 } : {}),
    },
    calls: [],
    results: [],
  };
}

/** What a tool result that names no call says about itself. */
function strayResult({ toolCallId, toolName }: JsonObject): JsonObject {
  return {
    openclaw_role: 'toolResult',
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(toolName === undefined ? {} : { toolName }),
  };
}

function finish({ turn, calls, results }: Draft): Turn {
  return {
    ...turn,
    ...(calls.length > 0 ? { tool_calls: calls as unknown as readonly ToolCall[] } : {}),
    ...(results.length > 0 ? { observation: { results } } : {}),
  };
}
