import {
  isJsonArray,
  isJsonObject,
  type Json,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';

/**
 * The document that reading and writing gives back (decision G1): the rewrites listed in MAPPING.md under "Normalisations", nothing else.
 * Written independently of reader and writer, so that it can judge them.
 */
export function normaliseExample(document: Json): Json {
  if (!isJsonObject(document)) return document;
  const { messages } = document;
  return isJsonArray(messages) ? { ...document, messages: messages.map(withoutNullTime) } : document;
}

/** N1: an `at` of null is left out. */
function withoutNullTime(message: Json): Json {
  if (!isJsonObject(message)) return message;
  const kept: MutableJsonObject = {};
  for (const key of Object.keys(message)) {
    const value = message[key] ?? null;
    if (key !== 'at' || value !== null) setOwn(kept, key, value);
  }
  return kept;
}
