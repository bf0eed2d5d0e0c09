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

/** Whether two views are the same message: role, content, call reference and calls. */
export function sameCore(left: MessageView, right: MessageView): boolean {
  return (
    left.role === right.role &&
    left.callId === right.callId &&
    left.calls.length === right.calls.length &&
    left.calls.every((call, index) => {
      const other = right.calls[index];
      return (
        other !== undefined && call.id === other.id && call.name === other.name && call.text === other.text
      );
    }) &&
    equalJson(left.positions ?? null, right.positions ?? null) &&
    equalJson(left.content, right.content)
  );
}

/** Whether two views have the same extras, in any order. */
export function sameExtras(left: MessageView, right: MessageView): boolean {
  if (left.extras.length !== right.extras.length) return false;
  if (left.extras.length === 0) return true;
  const others = new Map(right.extras);
  return left.extras.every(([pointer, value]) => {
    const other = others.get(pointer);
    return other !== undefined && equalJson(value, other);
  });
}

/** The fingerprint of what {@link sameCore} compares. */
export function fingerprintView(view: MessageView): number {
  const calls = view.calls.map((call) => [call.id, call.name, call.text]);
  return fingerprint([view.role, view.content, view.callId ?? null, calls, view.positions ?? null]);
}
