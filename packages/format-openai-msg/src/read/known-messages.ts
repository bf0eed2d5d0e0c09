import {
  equalJson,
  fingerprint,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  memberOf,
} from '@pchronicle/storyline-core';
import { BARE, WITH_REASON } from '../history/flags.ts';
import { type MessageShape, shapeOfMessage } from '../history/plan.ts';
import { isMapped, type MessageView, viewMessage } from '../message/view.ts';
import { copyFlags, coreOf, sameExtras } from './same.ts';

/** A known message found again: which one, and how the copy differs from it. */
export interface Match {
  readonly ref: number;
  readonly flags: number;
  /** The copy, when it was looked into; its extras are residuals when `flags` has BARE. */
  readonly view?: MessageView;
}

/** All messages that are the same one: how often it stands in the session, and in the row at hand. */
interface Group {
  /** What makes it the same message. */
  readonly core: Json;
  readonly first: number;
  size: number;
  used: number;
  usedIn: number;
  /** Reasoning → message. */
  reasons?: Map<string, number>;
}

interface Entry {
  /** A form in which later rows repeat the message, and how that form differs from the first occurrence. */
  raw: Json;
  flags: number;
  readonly shape: MessageShape;
  readonly view: MessageView | undefined;
  readonly matchable: boolean;
  group: Group | undefined;
}

/**
 * The messages of one session in order of their first appearance, each kept once: what histories are compared with.
 * Memory is that of the distinct messages; a repeated history costs one comparison of its bytes.
 */
export interface KnownMessages {
  /** Adds a message. A response whose role is not assistant cannot be found again (`matchable` false). */
  add(raw: Json, view: MessageView | undefined, matchable?: boolean): number;
  shape(ref: number): MessageShape | undefined;
  view(ref: number): MessageView | undefined;
  /** Starts a row: what was added before can be found from now on, and occurrences are counted anew. */
  startRow(): void;
  /** Counts one occurrence of a message that needs no search. */
  use(ref: number): void;
  /** Finds the message that a raw one repeats, if the row has not more of them than the session; the one that is expected first. */
  match(raw: Json, expected: number): Match | undefined;
  /** A known message that is the same as a view, reasoning included, however often the row has it. */
  reasoned(view: MessageView): Match | undefined;
}

/** Starts the known messages of a session. */
export function knownMessages(): KnownMessages {
  const entries: Entry[] = [];
  const groups = new Map<number, Group[]>();
  let grouped = 0;
  let row = 0;

  const find = (core: Json, key: number): Group | undefined =>
    groups.get(key)?.find((group) => equalJson(group.core, core));

  const groupOf = (raw: Json, view: MessageView | undefined): Group | undefined => {
    const core = coreOf(raw, view);
    return find(core, fingerprint(core));
  };

  // A message of the row at hand is not yet one that the row can repeat.
  const catchUp = (): void => {
    for (; grouped < entries.length; grouped += 1) {
      const entry = entries[grouped] as Entry;
      if (!entry.matchable) continue;
      const core = coreOf(entry.raw, entry.view);
      const key = fingerprint(core);
      let group = find(core, key);
      if (group === undefined) {
        group = { core, first: grouped, size: 0, used: 0, usedIn: -1 };
        groups.set(key, [...(groups.get(key) ?? []), group]);
      }
      group.size += 1;
      entry.group = group;
      const reason = entry.view?.reason;
      if (reason === undefined) continue;
      group.reasons ??= new Map();
      if (!group.reasons.has(reason)) group.reasons.set(reason, grouped);
    }
  };

  const take = (group: Group): boolean => {
    if (group.usedIn !== row) {
      group.usedIn = row;
      group.used = 0;
    }
    if (group.used >= group.size) return false;
    group.used += 1;
    return true;
  };

  const choose = (group: Group, view: MessageView | undefined, expected: number): Match => {
    const next = entries[expected];
    const reason = view?.reason;
    const isNext = next?.group === group && (reason === undefined || next.view?.reason === reason);
    if (view === undefined) return { ref: isNext ? expected : group.first, flags: 0 };
    const reasoned = reason === undefined ? undefined : group.reasons?.get(reason);
    // A reasoning that the session does not have is dropped with the copy (RFC-0009, residuals).
    const ref =
      isNext && next.view !== undefined && sameExtras(next.view, view) ? expected : (reasoned ?? group.first);
    return { ref, flags: copyFlags(entries[ref]?.view, view, reasoned !== undefined), view };
  };

  return {
    add(raw, view, matchable = true) {
      const copy = expectedCopy(raw, view);
      entries.push({ raw: copy, flags: 0, shape: shapeOfMessage(copy), view, matchable, group: undefined });
      return entries.length - 1;
    },
    shape: (ref) => entries[ref]?.shape,
    view: (ref) => entries[ref]?.view,
    startRow() {
      row += 1;
      catchUp();
    },
    use(ref) {
      const group = entries[ref]?.group;
      if (group !== undefined) take(group);
    },
    match(raw, expected) {
      const next = entries[expected];
      if (next?.group !== undefined && equalJson(next.raw, raw)) {
        return take(next.group) ? { ref: expected, flags: next.flags } : undefined;
      }
      const view = isMapped(raw) ? viewMessage(raw) : undefined;
      const group = groupOf(raw, view);
      if (group === undefined || !take(group)) return undefined;
      const found = choose(group, view, expected);
      if (view === undefined) return found;
      const entry = entries[found.ref];
      const whole = (found.flags & WITH_REASON) !== 0 || view.reason === undefined;
      const isOwn = (found.flags & BARE) !== 0 && view.extras.length > 0;
      // From now on this form is recognised without a search.
      if (entry !== undefined && !isOwn && whole) {
        entry.raw = raw;
        entry.flags = found.flags;
      }
      return found;
    },
    reasoned(view) {
      const group = groupOf(null, view);
      const ref = view.reason === undefined ? undefined : group?.reasons?.get(view.reason);
      return group === undefined || ref === undefined ? undefined : choose(group, view, ref);
    },
  };
}

/** The form in which later rows usually repeat a message: with its role, without its reasoning. */
function expectedCopy(raw: Json, view: MessageView | undefined): Json {
  if (view === undefined) return raw;
  if (view.reason === undefined && typeof memberOf(raw, 'role') === 'string') return raw;
  const { reasoning_content: _, ...rest } = raw as JsonObject;
  const copy: MutableJsonObject = rest;
  copy.role = view.role;
  return copy;
}
