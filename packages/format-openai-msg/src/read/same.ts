import { equalJson, type Json } from '@pchronicle/storyline-core';
import { BARE, WITH_NULL, WITH_REASON, WITHOUT_NULL } from '../history/flags.ts';
import type { MessageView } from '../message/view.ts';

/** What makes a message the same message: role, content, call reference and calls; not its unknown keys, not its reasoning. One of no known role is compared whole. */
export function coreOf(raw: Json, view: MessageView | undefined): Json {
  if (view === undefined) return [raw];
  const { role, content, callId = null, calls, positions = null } = view;
  return [role, content, callId, calls.map(({ id, name, text }) => [id, name, text]), positions];
}

/** Whether two views have the same extras, in any order. */
export function sameExtras({ extras: left }: MessageView, { extras: right }: MessageView): boolean {
  if (left.length === 0 || left.length !== right.length) return left.length === right.length;
  return equalJson(Object.fromEntries(left), Object.fromEntries(right));
}

/** How a copy differs from the first occurrence of its message: in its reasoning, its unknown keys, or a `content` that is null. */
export function copyFlags(first: MessageView | undefined, copy: MessageView, withReason: boolean): number {
  const flags = (withReason ? WITH_REASON : 0) | (first !== undefined && sameExtras(first, copy) ? 0 : BARE);
  if (first === undefined || first.withoutContent === copy.withoutContent) return flags;
  return flags | (copy.withoutContent ? WITHOUT_NULL : WITH_NULL);
}
