import { callIds, type JsonObject, type Report, type ToolCall, type Turn } from '@pchronicle/storyline-core';
import { synthesisedCallId } from './vocabulary.ts';

/** A call whose id is still to be given. */
export interface PendingCall {
  readonly turn: Turn;
  readonly position: number;
  /** Its `invocation_id`, where it has one. */
  readonly literal: string | undefined;
}

/**
 * Gives every call an id of its own (decision G11): literal ids are reserved first; the first call with an id keeps it, a later one
 * gets `@{turn id}` appended, and its source id is kept at its own pointer. A call without an id gets `event-{turn id}`.
 */
export function assignCallIds(
  calls: readonly PendingCall[],
  report: Report,
  keep: (pointer: string, value: string) => void,
): void {
  const reserved = new Set<string>();
  for (const { literal } of calls) if (literal !== undefined) reserved.add(literal);
  const ids = callIds(reserved);
  for (const { turn, position, literal } of calls) {
    const id =
      literal === undefined
        ? ids.takeMade(synthesisedCallId(String(turn.id)), turn.id)
        : ids.take(literal, turn.id);
    if (literal !== undefined && id !== literal) {
      const pointer = `/events/${position}/payload/invocation_id`;
      keep(pointer, literal);
      const message = `the invocation_id ${JSON.stringify(literal)} was used by an earlier event; this call is ${JSON.stringify(id)} in the Storyline`;
      report('info', 'forkline/repeated-call-id', pointer, message);
    }
    setCallId(turn, id);
  }
}

/** The turn was made by us a moment ago and has been shown to nobody. */
function setCallId(turn: Turn, id: string): void {
  const call = turn.tool_calls?.[0] as { -readonly [K in keyof ToolCall]: ToolCall[K] };
  call.tcid = id;
  const observation = turn.observation as { results: { source_call_id?: string }[] } | undefined;
  const result = observation?.results[0];
  if (result !== undefined) result.source_call_id = id;
}

/** The result of a call without what the Storyline added to it. */
export function resultWithoutReference(result: JsonObject): JsonObject {
  const { source_call_id: _, ...rest } = result;
  return rest;
}
