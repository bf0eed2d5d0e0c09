import { getOwn, isJsonArray, isJsonObject, type Json, stringify } from '@pchronicle/storyline-core';

/**
 * What a round trip makes of a document (decision G1): the closed list "Normalisations" of MAPPING.md. Its one entry: an array that holds
 * several trajectories becomes a list of one document for each, in order of first appearance; one that is alone in it stands without the
 * array. Everything else comes back as it is. Independent of reader and writer; idempotent.
 */
export function normaliseAnkole(document: Json): Json {
  if (!isJsonArray(document)) return document;
  const groups = new Map<string, Json[]>();
  document.forEach((value, index) => {
    const key = trajectoryOf(value, index);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  });
  if (groups.size < 2) return document;
  return [...groups.values()].map((values) => (values.length === 1 ? (values[0] ?? null) : values));
}

/** What a value is a part of. */
function trajectoryOf(value: Json, index: number): string {
  if (!isJsonObject(value)) return `alone ${index}`;
  const row = isJsonArray(value.messages) ? value.messages[0] : value;
  const job = getOwn(value, 'job');
  if (isJsonObject(job)) return `job ${stringify(getOwn(job, 'id') ?? null)}`;
  if (Object.hasOwn(value, 'turn_id')) return `turn ${stringify(getOwn(value, 'turn_id') ?? null)}`;
  const conversation = isJsonObject(row) ? getOwn(row, 'conversation_id') : undefined;
  if (conversation !== undefined) return `conversation ${stringify(conversation)}`;
  const named = getOwn(value, 'conversation');
  const id = isJsonObject(named) ? getOwn(named, 'id') : undefined;
  return typeof id === 'string'
    ? `conversation ${stringify(id.replace(/^conv_(?=.)/, ''))}`
    : `alone ${index}`;
}
