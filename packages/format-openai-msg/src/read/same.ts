import { equalJson, type Json } from '@pchronicle/storyline-core';
import { BARE, OWN, WITH_NULL, WITH_REASON, WITHOUT_NULL } from '../history/flags.ts';
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

/** Gives all copies of a row the same flags where that changes nothing, so that a recipe has one range for many messages. */
export function spreadFlags(
  items: readonly number[],
  flags: ReadonlyMap<number, number>,
  viewOf: (item: number) => MessageView | undefined,
): ReadonlyMap<number, number> {
  if (flags.size === 0) return flags;
  let all = 0;
  for (const flag of flags.values()) all |= flag;
  const spread = new Map<number, number>();
  for (const [index, item] of items.entries()) {
    if (item < 0 && item !== OWN) continue;
    const own = flags.get(index) ?? 0;
    const every = (all & ~own & ~idleFlags(viewOf(item))) === 0 ? all : own;
    if (every !== 0) spread.set(index, every);
  }
  return spread;
}

/** The flags that change nothing of a message. */
function idleFlags(view: MessageView | undefined): number {
  if (view === undefined) return WITH_REASON | BARE | WITHOUT_NULL | WITH_NULL;
  const { content, extras, reason, withoutContent } = view;
  return (
    (reason === undefined ? WITH_REASON : 0) |
    (extras.length === 0 ? BARE : 0) |
    (content === null && !withoutContent ? 0 : WITHOUT_NULL) |
    (withoutContent ? 0 : WITH_NULL)
  );
}
