import { getOwn, isJsonArray, isJsonObject, type Json, stringify } from '@pchronicle/storyline-core';
import { objectOf } from './members.ts';

/** What a page without rows is a part of, as long as nobody knows. */
const NOBODY = 'nobody';

/**
 * What a round trip makes of a document (decision G1): the closed list "Normalisations" of MAPPING.md. Its one entry for a document: an array
 * that holds several trajectories becomes a list of one document for each, in order of first appearance; one that is alone in it stands
 * without the array. Everything else comes back as it is. Independent of reader and writer; idempotent.
 */
export function normaliseAnkole(document: Json): Json {
  // A list that holds lists is one of documents, which this made.
  if (!isJsonArray(document) || document.some(isJsonArray)) return document;
  const keys = linkResponses(document, document.map(trajectoryOf));
  const named = new Set(keys.filter((key) => key !== NOBODY && !isAlone(key)));
  // A page without rows belongs to the only conversation there is; with the only job or turn it is read too, but makes a document.
  const [sole = NOBODY] = named;
  const groups = new Map<string, Map<string, Json[]>>();
  document.forEach((value, index) => {
    const own = keys[index] ?? '';
    const isPage = own === NOBODY;
    const key = isPage ? (named.size < 2 ? sole : `alone ${index}`) : own;
    const group = groups.get(key) ?? new Map<string, Json[]>();
    groups.set(key, group);
    const part = isPage && !sole.startsWith('conversation ') ? NOBODY : key;
    const values = group.get(part) ?? [];
    group.set(part, values);
    values.push(value);
  });
  const documents = [...groups.values()].flatMap((group) => [...group.values()]);
  if (documents.length < 2) return document;
  return documents.map((values) => (values.length === 1 ? (values[0] ?? null) : values));
}

/** What a value is a part of. */
function trajectoryOf(value: Json, index: number): string {
  if (!isJsonObject(value)) return `alone ${index}`;
  if (isJsonArray(value.messages) && value.messages.length === 0 && Object.hasOwn(value, 'next_cursor'))
    return NOBODY;
  const row = isJsonArray(value.messages) ? value.messages[0] : value;
  const job = getOwn(value, 'job');
  if (isJsonObject(job)) return `job ${stringify(getOwn(job, 'id') ?? null)}`;
  if (Object.hasOwn(value, 'turn_id')) return `turn ${stringify(getOwn(value, 'turn_id') ?? null)}`;
  const conversation = getOwn(objectOf(row), 'conversation_id');
  if (conversation !== undefined) return `conversation ${stringify(conversation)}`;
  const named = getOwn(value, 'conversation');
  const id = getOwn(objectOf(named), 'id');
  return typeof id === 'string'
    ? `conversation ${stringify(id.replace(/^conv_(?=.)/, ''))}`
    : `alone ${index}`;
}

/** Whether a value names nothing that it is a part of. */
function isAlone(key: string): boolean {
  return key.startsWith('alone ');
}

/**
 * Responses that name no conversation are part of those that they continue, and of those that continue them. One between two conversations
 * belongs to the one that is linked to it first.
 */
function linkResponses(document: readonly Json[], keys: readonly string[]): readonly string[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    const way: string[] = [];
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) {
      way.push(root);
      root = next;
    }
    for (const passed of way) parents.set(passed, root);
    return root;
  };
  const holders = new Map<string, string>();
  document.forEach((value, index) => {
    const own = keys[index] ?? '';
    if (!isJsonObject(value)) return;
    for (const name of [getOwn(value, 'id'), getOwn(value, 'previous_response_id')]) {
      if (typeof name !== 'string' || !name.startsWith('resp_')) continue;
      const holder = holders.get(name);
      if (holder === undefined) holders.set(name, own);
      const [first, second] = [rootOf(holder ?? own), rootOf(own)];
      if (first === second) continue;
      if (isAlone(second)) parents.set(second, first);
      else if (isAlone(first)) parents.set(first, second);
    }
  });
  return keys.map(rootOf);
}
