import {
  isInteger,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { type Aside, listen, putAside, textAt } from './normalise-content.ts';

/** A call, the id by which results refer to it in the document that is written, and where these go. */
export interface Call {
  readonly written: string;
  readonly tool: MutableJsonObject;
  readonly results: Json[];
}

/** Folds a result into the last call that has its id; false when there is none. */
export function answer(
  event: JsonObject,
  message: JsonObject,
  call: Call | undefined,
  at: string,
  aside: Aside,
): boolean {
  if (call === undefined) return false;
  const details: JsonObject = isJsonObject(message.details) ? message.details : {};
  const name = textAt(message, 'toolName');
  const status = textAt(details, 'status') || undefined;
  const exitCode = isInteger(details.exitCode) ? details.exitCode : undefined;
  const duration = isInteger(details.durationMs) ? details.durationMs : undefined;
  const output = details.aggregated ?? undefined;
  const { text } = listen(message.content, false, `${at}/message/content`, aside);
  putAside(event, ['type', 'message'], at, aside);
  putAside(
    message,
    [
      'role',
      'content',
      'toolCallId',
      ...(name === undefined ? [] : ['toolName']),
      ...(details === message.details ? ['details'] : []),
    ],
    `${at}/message`,
    aside,
  );
  const used = { status, exitCode, durationMs: duration, aggregated: output };
  putAside(
    details,
    Object.keys(used).filter((key) => used[key as keyof typeof used] !== undefined),
    `${at}/message/details`,
    aside,
  );
  if (text !== undefined) call.tool.aggregated_output = text;
  if (status !== undefined || exitCode !== undefined) {
    delete call.tool.status;
    delete call.tool.exit_code;
  }
  if (status !== undefined) call.tool.status = status;
  if (exitCode !== undefined) call.tool.exit_code = exitCode;
  call.results.push({
    ...(text === undefined || text === output ? {} : { content: text }),
    tool_use_id: call.written,
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(duration === undefined ? {} : { duration_ms: duration }),
    ...(output === undefined ? {} : { aggregated_output: output }),
  });
  return true;
}
