import {
  appendPointer,
  getOwn,
  isInteger,
  isJsonObject,
  type Json,
  type JsonObject,
  type ToolResponse,
} from '@pchronicle/storyline-core';
import { objectIn, objectOf, textOf, without } from '../members.ts';
import type { Draft, DraftResult, MutableCall } from './parts.ts';

/** A tool message as a result; `undefined` for any other message, and where a member would hide one of the Storyline's. */
export function readToolMessage(message: Json, pointer: string): DraftResult | undefined {
  if (!isJsonObject(message) || textOf(message, 'role') !== 'tool') return undefined;
  if (!Object.hasOwn(message, 'content') || Object.hasOwn(message, 'source_call_id')) return undefined;
  const literal = textOf(message, 'tool_call_id');
  const result = without(message, 'role', ...(literal === undefined ? [] : ['tool_call_id']));
  return { result, literal, pointer: appendPointer(pointer, 'tool_call_id'), scope: '', family: '' };
}

/** Copies what the metadata of a result says of its call into the call's own slots. */
export function promote({ calls }: Draft, { result, literal }: DraftResult): void {
  const call = calls.find((draft) => draft.literal === literal)?.call;
  if (call === undefined) return;
  const metadata = objectIn(result, 'metadata');
  promoteOutcome(call, metadata);
}

/** Fills a call's slots from `status`, `exit_code`, `duration_ms` and `execution_mechanism`, where they have the slots' types. */
export function promoteOutcome(call: MutableCall, metadata: JsonObject): void {
  const status = textOf(metadata, 'status');
  const exitCode = getOwn(metadata, 'exit_code') ?? null;
  const duration = getOwn(metadata, 'duration_ms') ?? null;
  const response: ToolResponse = {
    ...(status === undefined ? {} : { status }),
    ...(isInteger(exitCode) ? { exit_code: exitCode } : {}),
  };
  if (Object.keys(response).length > 0) call.response = response;
  if (isInteger(duration)) call.duration_ms = duration;
  const mechanism = textOf(metadata, 'execution_mechanism');
  if (mechanism === undefined) return;
  const extra = objectOf(call.extra);
  call.extra = { ...extra, execution_mechanism: mechanism };
}
