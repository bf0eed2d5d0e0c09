import {
  compareNumbers,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { normaliseEnvelope } from './normalise/envelope.ts';
import { normaliseMessages, type Said } from './normalise/messages.ts';
import { restoreHistory } from './normalise/restore-history.ts';
import { normaliseRow } from './normalise/row.ts';
import { type OpenRow, openRow, sessionFacts } from './normalise/session-facts.ts';

/**
 * The document that reading and writing rows gives back (decision G1): the rewrites of the closed list in MAPPING.md and nothing else,
 * on plain JSON, independent of reader and writer. Takes `{ session_steps }` or an array of rows that the reader accepts, and gives
 * `{ session_steps }`; its input stays as it is.
 */
export function normaliseOpenaiMessages(document: Json): Json {
  const list = isJsonArray(document)
    ? document
    : isJsonObject(document)
      ? getOwn(document, 'session_steps')
      : undefined;
  if (!isJsonArray(list)) return document;
  const sessions = new Map<Json, { readonly index: number; readonly open: OpenRow }[]>();
  list.forEach((row, index) => {
    if (!isJsonObject(row)) return;
    const session = getOwn(row, 'session_id') ?? null;
    const rows = sessions.get(session);
    const one = { index, open: openRow(row) };
    if (rows === undefined) sessions.set(session, [one]);
    else rows.push(one);
  });
  const result: Json[] = [...list];
  for (const rows of sessions.values()) {
    const step = ({ open }: { readonly open: OpenRow }): JsonInteger =>
      getOwn(open.row, 'step_id') as JsonInteger;
    rows.sort((left, right) => compareNumbers(step(left), step(right)));
    const facts = sessionFacts(rows.map(({ open }) => open));
    const said: Said = new Map();
    const normal = rows.map(({ open }, ordinal) => normaliseMessages(open.row, said, ordinal === 0));
    for (const [ordinal, { isAnswered: _, ...messages }] of restoreHistory(normal).entries()) {
      const { index, open } = rows[ordinal] as (typeof rows)[number];
      result[index] = { ...normaliseRow(open, facts), ...messages } satisfies JsonObject;
    }
  }
  const root: MutableJsonObject = {};
  if (isJsonObject(document))
    for (const key of Object.keys(document)) setOwn(root, key, document[key] as Json);
  root.session_steps = result;
  const envelope = normaliseEnvelope(
    root._storyline,
    [...sessions.values()].map((rows) => rows.map(({ index }) => index)),
  );
  if (envelope === undefined) delete root._storyline;
  else root._storyline = envelope;
  return root;
}
