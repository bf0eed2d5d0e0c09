import {
  isInteger,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  type Turn,
} from '@pchronicle/storyline-core';
import { isFilled } from './emptiness.ts';
import { type Keep, keepRest, readContent } from './openclaw-content.ts';
import { responseOf } from './response.ts';

/** A message event that counts: its place, its number, and its two layers. */
export interface EventMessage {
  readonly index: number;
  /** 1-based number among the messages: the turn id, so that folded results leave gaps. */
  readonly id: number;
  readonly role: 'user' | 'assistant' | 'toolResult';
  readonly event: JsonObject;
  readonly message: JsonObject;
  readonly at: string;
}

/** A turn under construction. */
export interface Draft {
  readonly turn: Turn;
  readonly calls: MutableJsonObject[];
  readonly results: Json[];
}

/** Folds a tool result into the call that it answers, and into the observation of that call's turn. */
export function foldResult(
  { event, message, at }: EventMessage,
  id: string,
  draft: Draft,
  call: MutableJsonObject,
  keep: Keep,
): void {
  const { text } = readContent(message.content, `${at}/message/content`, false, keep);
  const details: JsonObject = isJsonObject(message.details) ? message.details : {};
  const { status, exitCode, durationMs, aggregated } = details;
  const named = typeof message.toolName === 'string';
  keepRest(event, ['type', 'message'], at, keep);
  const used = [
    'role',
    'content',
    'toolCallId',
    ...(named ? ['toolName'] : []),
    ...(isJsonObject(message.details) ? ['details'] : []),
  ];
  keepRest(message, used, `${at}/message`, keep);
  const measures = {
    ...(isFilled(status) ? { status } : {}),
    ...(isInteger(exitCode) ? { exitCode } : {}),
    ...(isInteger(durationMs) ? { durationMs } : {}),
    ...(aggregated === undefined || aggregated === null ? {} : { aggregated }),
  };
  keepRest(details, Object.keys(measures), `${at}/message/details`, keep);
  if (text !== undefined) call.result = text;
  if (isInteger(durationMs)) call.duration_ms = durationMs as JsonInteger;
  const response = responseOf(status, exitCode);
  if (response !== undefined) call.response = response as JsonObject;
  draft.results.push({
    ...(text === undefined ? {} : { content: text }),
    tool_use_id: id,
    source_call_id: call.tcid as string,
    ...(named ? { name: message.toolName as string } : {}),
    ...(isFilled(status) ? { status } : {}),
    ...(isInteger(exitCode) ? { exit_code: exitCode } : {}),
    ...(isInteger(durationMs) ? { duration_ms: durationMs } : {}),
    ...(measures.aggregated === undefined ? {} : { aggregated_output: measures.aggregated }),
  });
}
