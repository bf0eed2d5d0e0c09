import {
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { CHATML_FORMAT, CHATML_VERSION } from '../keys.ts';
import { unpackRanges } from '../layout/ranges.ts';
import { objectIn, objectOf } from '../members.ts';
import { itemRow, itemRuns } from './item-row.ts';
import { type JobTurn, jobPage, jobTurns } from './job-turns.ts';
import { messageRow, responseObject } from './message-row.ts';
import type { OwnMessages } from './own-messages.ts';
import { placedTurns } from './placed-turns.ts';
import { sourceIds } from './source-ids.ts';
import { storedRows } from './stored-rows.ts';

/** The parts of a document, by the recipe of the layout; a Storyline without one is an `ankole_chatml` document. */
export function makeParts(storyline: Storyline, layout: JsonObject, messages: OwnMessages): Json[] {
  const recipe = getOwn(layout, 'parts');
  if (!isJsonArray(recipe)) return [chatmlDocument(storyline, messages)];
  const makers = startMakers(storyline, placedTurns(storyline.turns, recipe), messages);
  return recipe.flatMap((step) => {
    const [kind, which, cursor] = isJsonArray(step) ? step : [step];
    const make = typeof kind === 'string' && Object.hasOwn(makers, kind) ? makers[kind] : undefined;
    return make === undefined ? [chatmlDocument(storyline, messages)] : make(which, cursor);
  });
}

/** Makes the parts of one step of a recipe: `which` says of which rows or turns, `cursor` is that of a page. */
type Maker = (which: Json | undefined, cursor: Json | undefined) => readonly Json[];

function startMakers(
  storyline: Storyline,
  turns: readonly Turn[],
  messages: OwnMessages,
): { readonly [kind: string]: Maker } {
  const meta: JsonObject = objectOf(storyline.meta);
  const rows = storedRows(turns);
  const runs = itemRuns(turns);
  const ids = sourceIds(storyline.turns);
  const artifacts = getOwn(meta, 'artifacts');
  let nextArtifact = 0;
  let ofJob: readonly JobTurn[] | undefined;
  return {
    page: (which, cursor) => [
      {
        messages: chosen(rows, which).map((row) => messageRow(row, storyline, ids)),
        next_cursor: cursor ?? null,
      },
    ],
    rows: (which) => chosen(rows, which).map((row) => messageRow(row, storyline, ids)),
    response: (which) => chosen(rows, which).map((row) => responseObject(row, storyline, ids)),
    items: (which) => chosen(runs, which).map((run) => itemRow(run, storyline, messages)),
    artifact() {
      const artifact = isJsonArray(artifacts) ? artifacts[nextArtifact] : undefined;
      nextArtifact += 1;
      return artifact === undefined ? [] : [artifact];
    },
    conversation: () => [{ conversation: objectIn(meta, 'conversation') }],
    job(which, cursor) {
      ofJob ??= jobTurns(rows, messages);
      return [jobPage(storyline, ofJob, which, cursor)];
    },
  };
}

/** Those at the positions that a text of ranges names; all of them where there is none. */
function chosen<T>(all: readonly T[], which: Json | undefined): readonly T[] {
  if (typeof which !== 'string') return all;
  return unpackRanges(which, all.length).map((at) => all[at] as T);
}

function chatmlDocument(storyline: Storyline, messages: OwnMessages): JsonObject {
  const header = objectIn(objectOf(storyline.meta), 'chatml');
  return {
    format: CHATML_FORMAT,
    version: CHATML_VERSION,
    ...header,
    messages: storyline.turns.flatMap(messages.of),
  };
}
