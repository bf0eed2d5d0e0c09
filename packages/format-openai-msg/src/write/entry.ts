import { isJsonObject, type Json, type MutableJsonObject, memberOf } from '@pchronicle/storyline-core';
import { BARE, WITH_NULL, WITH_REASON, WITHOUT_NULL } from '../history/flags.ts';
import { type MessageShape, shapeOfMessage } from '../history/plan.ts';
import { bareMessage, restore } from '../message/build.ts';
import { type Extra, isMapped } from '../message/view.ts';

/** A message of the session as it is written: what histories repeat. */
export interface Entry {
  /** The message without its reasoning. */
  readonly full: Json;
  /** The `reasoning_content` of its first occurrence. */
  readonly reason?: string;
  readonly shape: MessageShape;
  /** Other forms that were asked for. */
  readonly forms: Map<number, Json>;
}

/** Makes an entry of a message in the form of its first occurrence. */
export function makeEntry(message: Json): Entry {
  const reason =
    memberOf(message, 'role') === 'assistant' ? memberOf(message, 'reasoning_content') : undefined;
  const forms = new Map<number, Json>();
  if (typeof reason !== 'string') return { full: message, shape: shapeOfMessage(message), forms };
  const { reasoning_content: _, ...full } = message as MutableJsonObject;
  return { full, reason, shape: shapeOfMessage(message), forms };
}

/** An entry's message in the form that flags describe. */
export function copyOf(entry: Entry, wanted: number): Json {
  const flags = entry.reason === undefined ? wanted & ~WITH_REASON : wanted;
  if (flags === 0) return entry.full;
  const known = entry.forms.get(flags);
  if (known !== undefined) return known;
  const base = (flags & BARE) !== 0 ? bareMessage(entry.full) : entry.full;
  if (!isJsonObject(base)) return base;
  const message: MutableJsonObject = { ...base };
  if ((flags & WITH_REASON) !== 0) message.reasoning_content = entry.reason ?? null;
  if (isMapped(message)) {
    // A neighbour's flag may stand beside the own one: each speaks of the first occurrence, never of what the other made of it.
    if (!Object.hasOwn(message, 'content')) {
      if ((flags & WITH_NULL) !== 0) message.content = null;
    } else if ((flags & WITHOUT_NULL) !== 0 && message.content === null) delete message.content;
  }
  entry.forms.set(flags, message);
  return message;
}

/** A message with residuals put into a copy of it; the pointers that had no place are handed to `fault`. */
export function withResiduals(
  message: Json,
  residuals: readonly Extra[] | undefined,
  fault: (pointer: string) => void,
): Json {
  if (residuals === undefined || residuals.length === 0) return message;
  // A message without keys, or one that is no object, is a residual as a whole.
  const whole = residuals.find(([pointer]) => pointer === '');
  const base = whole === undefined ? message : whole[1];
  const inside = residuals.filter(([pointer]) => pointer !== '');
  if (isJsonObject(base)) {
    const root: MutableJsonObject = { ...base };
    restore(root, inside, fault);
    return root;
  }
  for (const [pointer] of inside) fault(pointer);
  return base;
}
