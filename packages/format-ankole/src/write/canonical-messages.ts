import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  stringify,
  type Turn,
} from '@pchronicle/storyline-core';
import { isCanonicalCall, messageFault } from '../canonical/is-canonical-message.ts';
import { listOf, objectIn, without } from '../members.ts';

/** Makes messages canonical (notes §3), and tells at the end what it did to them. */
export interface CanonicalMessages {
  /** @param turn What the message was made of, where its id may be only the turn's number. */
  make(message: JsonObject, turn?: Turn): JsonObject;
  tell(report: Report): void;
}

/** Starts with no message. */
export function canonicalMessages(): CanonicalMessages {
  let systems = 0;
  const strange = new Set<string>();
  const left = new Map<string, number>();
  return {
    make(message, turn) {
      const role = getOwn(message, 'role');
      if (role === 'system') systems += 1;
      else if (typeof role === 'string' && !ROLES.has(role)) strange.add(role);
      return canonicalMessage(message, turn, (key) => left.set(key, (left.get(key) ?? 0) + 1));
    },
    tell(report) {
      for (const [key, count] of left)
        report(
          'loss',
          'ankole/not-canonical-member',
          '/turns',
          `${key} of ${count === 1 ? 'a message is' : `${count} messages are`} not what a canonical message has there; what does not fit is left out`,
        );
      if (systems > 0)
        report(
          'info',
          'ankole/system-as-developer',
          '/turns',
          `${systems === 1 ? 'a system message is' : `${systems} system messages are`} written as developer messages: ChatML documents of Ankole have no system role`,
        );
      for (const role of [...strange].slice(0, 20))
        report(
          'info',
          'ankole/role-as-user',
          '/turns',
          `messages of ${JSON.stringify(role.slice(0, 80))} are written as user messages`,
        );
    },
  };
}

const ROLES: ReadonlySet<string> = new Set(['user', 'developer', 'assistant', 'tool']);

/** A message without what the canonical form forbids. Ids that are only numbers of turns are left out. */
function canonicalMessage(
  message: JsonObject,
  turn: Turn | undefined,
  leftOut: (key: string) => void,
): JsonObject {
  const role = getOwn(message, 'role');
  const canonical: MutableJsonObject = without(message, 'role');
  canonical.role =
    role === 'system' ? 'developer' : typeof role === 'string' && ROLES.has(role) ? role : 'user';
  const id = getOwn(message, 'id');
  if (typeof id !== 'string' || isTurnNumber(id, turn)) delete canonical.id;
  // A tool message of a turn that only says something answers no call.
  if (canonical.role === 'tool' && typeof getOwn(message, 'tool_call_id') !== 'string')
    canonical.role = 'user';
  if (canonical.role === 'tool' && typeof getOwn(message, 'name') !== 'string') canonical.name = 'unknown';
  const content: Json = getOwn(message, 'content') ?? '';
  const isParts = isJsonArray(content) && canonical.role !== 'assistant' && canonical.role !== 'tool';
  canonical.content =
    typeof content === 'string' || (isParts && content.every(isTypedPart)) ? content : stringify(content);
  // What is left are members that may be missing; each is mended once.
  for (const key of ['metadata', 'tool_calls', 'namespace']) {
    if (messageFault(canonical)?.key !== key) continue;
    leftOut(key);
    const calls = key === 'tool_calls' ? getOwn(canonical, 'tool_calls') : undefined;
    const fitting = listOf(calls).filter(isCanonicalCall);
    if (fitting.length > 0) canonical.tool_calls = fitting;
    else delete canonical[key];
  }
  return canonical;
}

function isTypedPart(part: Json): boolean {
  return isJsonObject(part) && typeof getOwn(part, 'type') === 'string';
}

/** Whether a message has its turn's number for an id, because its source gave it none. */
function isTurnNumber(id: string, turn: Turn | undefined): boolean {
  const extra = isJsonObject(turn?.extra) ? turn.extra : {};
  return id === String(turn?.id) && getOwn(objectIn(extra, 'payload'), 'id') !== id;
}
