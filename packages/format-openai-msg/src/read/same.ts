import { equalJson, fingerprint, type Json } from '@pchronicle/storyline-core';
import type { MessageView } from '../message/view.ts';

/** Whether two messages are equal as JSON; the usual shape, a few texts, is compared without walking. */
export function sameMessage(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const a = (left as { readonly content?: Json }).content;
  const b = (right as { readonly content?: Json }).content;
  // The content is most of a message: when it differs, nothing else has to be looked at.
  if (typeof a === 'string' && typeof b === 'string' && a !== b) return false;
  return equalJson(left, right);
}

/** What makes a message the same message: role, content, call reference and calls; not its unknown keys, not its reasoning. */
function coreOf({ role, content, callId, calls, positions }: MessageView): Json {
  return [
    role,
    content,
    callId ?? null,
    calls.map(({ id, name, text }) => [id, name, text]),
    positions ?? null,
  ];
}

/** Whether two views are the same message. */
export function sameCore(left: MessageView, right: MessageView): boolean {
  return equalJson(coreOf(left), coreOf(right));
}

/** The fingerprint of what {@link sameCore} compares. */
export function fingerprintView(view: MessageView): number {
  return fingerprint(coreOf(view));
}

/** Whether two views have the same extras, in any order. */
export function sameExtras({ extras: left }: MessageView, { extras: right }: MessageView): boolean {
  if (left.length === 0 || left.length !== right.length) return left.length === right.length;
  return equalJson(Object.fromEntries(left), Object.fromEntries(right));
}
