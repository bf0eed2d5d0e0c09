import {
  getOwn,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  type Turn,
} from '@pchronicle/storyline-core';
import { isCanonicalMessage } from '../canonical/is-canonical-message.ts';
import { listOf } from '../members.ts';
import { sourceIdOf } from '../read/turn-list.ts';
import { canonicalMessages } from './canonical-messages.ts';
import { writeMessages } from './chatml-messages.ts';
import { sourceIds } from './source-ids.ts';

/** The messages of turns of Ankole's own documents, job turns and groups. */
export interface OwnMessages {
  of(turn: Turn): readonly Json[];
  tell(report: Report): void;
}

/** Digests of messages that are not canonical but the source's own, so that they go back as they were. */
export interface LooseMessages {
  isOwn(digest: string): boolean;
}

/** Those that the layout names. */
export function looseIn(layout: JsonObject): LooseMessages {
  const known = new Set(listOf(getOwn(layout, 'loose')));
  return { isOwn: (digest) => known.has(digest) };
}

/** Starts to write the messages of a Storyline's turns: what is not the source's own is made canonical. */
export function ownMessages(turns: readonly Turn[], loose: LooseMessages): OwnMessages {
  const ids = sourceIds(turns);
  const canonical = canonicalMessages();
  return {
    of: (turn) =>
      writeMessages(turn, ids).map((message) => {
        if (isCanonicalMessage(message) || loose.isOwn(hashJson(message).slice(0, 8))) return message;
        return canonical.make(isJsonObject(message) ? named(message, turn) : { content: message });
      }),
    tell: canonical.tell,
  };
}

/** A result has the name of the call that it answers, where its turn has it. */
function named(message: JsonObject, { tool_calls: calls }: Turn): JsonObject {
  if (getOwn(message, 'role') !== 'tool' || Object.hasOwn(message, 'name')) return message;
  const call = calls?.find((each) => sourceIdOf(each) === getOwn(message, 'tool_call_id'));
  const made: MutableJsonObject = { ...message };
  if (call !== undefined) made.name = call.fn;
  return made;
}
