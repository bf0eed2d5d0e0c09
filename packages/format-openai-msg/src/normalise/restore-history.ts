import { getOwn, isJsonArray, isJsonObject, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { keyOf, type NormalMessages } from './messages.ts';

/**
 * Normalisation 12: a session that leaves all history out, each row after the first being a new plain request, gets it back.
 * `rows` are the normalised rows of the session, in ascending order of their steps.
 */
export function restoreHistory(rows: readonly NormalMessages[]): readonly NormalMessages[] {
  const asked = new Set<string>();
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return rows;
  for (const message of listOf(first))
    if (isJsonObject(message) && getOwn(message, 'role') === 'user') asked.add(keyOf(message));
  const isLeftOut = others.every(({ messages, response }) => {
    const [message, ...more] = isJsonArray(messages) ? messages : [];
    if (!isPlainRequest(message) || more.length > 0 || !isJsonObject(response)) return false;
    const key = keyOf(message);
    const isNew = !asked.has(key);
    asked.add(key);
    return isNew;
  });
  if (!isLeftOut) return rows;
  let history: readonly Json[] = [];
  return rows.map((row, ordinal) => {
    const own = listOf(row);
    const messages = ordinal === 0 ? own : [...history, ...own];
    // The first row may have its output among its messages, and something else as its response.
    const answered = row.isAnswered === true ? [...messages, row.response as JsonObject] : messages;
    // From the third row on, what stands before the row's own messages has that form already.
    history = [...answered.slice(0, history.length), ...answered.slice(history.length).map(historyForm)];
    return ordinal === 0 ? row : { ...row, messages };
  });
}

function listOf({ messages }: NormalMessages): readonly Json[] {
  return isJsonArray(messages) ? messages : [];
}

function isPlainRequest(message: Json | undefined): message is JsonObject {
  if (!isJsonObject(message) || getOwn(message, 'role') !== 'user') return false;
  return Object.hasOwn(message, 'content') && Object.keys(message).length === 2;
}

/** A message as later rows repeat it: an assistant's without its reasoning. */
function historyForm(message: Json): Json {
  if (!isJsonObject(message)) return message;
  const { reasoning_content: reason, ...rest } = message;
  return typeof reason === 'string' && getOwn(message, 'role') === 'assistant' ? rest : message;
}
