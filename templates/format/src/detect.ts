import { type Detection, getOwn, type Head, isJsonArray, isJsonObject } from '@pchronicle/storyline-core';

/** Recognises an Example document: an object with a text `conversation` and a list of `messages` that say who they are `from`. */
export function detect(head: Head): Detection {
  const { sketch } = head;
  if (!isJsonObject(sketch)) return { confidence: 'no', why: 'there is no object at the root' };
  const messages = getOwn(sketch, 'messages');
  if (typeof getOwn(sketch, 'conversation') !== 'string' || !isJsonArray(messages)) {
    return { confidence: 'no', why: 'the root has no "conversation" and list of "messages"' };
  }
  const [first] = messages;
  return first === undefined || (isJsonObject(first) && Object.hasOwn(first, 'from'))
    ? { confidence: 'yes', why: 'the root has a "conversation", and messages that say who they are "from"' }
    : {
        confidence: 'maybe',
        why: 'the root has a "conversation" and "messages", but they do not say who they are "from"',
      };
}
