import {
  appendPointer,
  compareText,
  getOwn,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  type Report,
} from '@pchronicle/storyline-core';
import { filledText, objectIn, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { unitNamedBy } from './cursors.ts';
import { mergePieces } from './merge-pieces.ts';
import type { Part } from './parts.ts';

/** A turn as one page has it. */
export interface TurnPiece {
  readonly value: JsonObject;
  readonly pointer: string;
  readonly messages: readonly Json[];
}

/** Messages of a piece that no piece before it has. */
export interface FreshMessages {
  readonly piece: TurnPiece;
  readonly from: number;
  readonly to: number;
}

/** A turn with the pieces that its pages have, the older page's first. */
export interface JoinedTurn {
  readonly id: string;
  /** What says the newest about it. */
  readonly value: JsonObject;
  readonly pieces: readonly TurnPiece[];
  /** Its messages, each once. */
  readonly fresh: readonly FreshMessages[];
}

/** Where the pieces of a page ended up: turn, first message, number of messages. */
export type PieceRecipe = readonly (readonly [turn: number, from: number, count: number])[];

/** Turns joined over pages, and how each page is made of them again. */
export interface JoinedPages {
  readonly turns: readonly JoinedTurn[];
  readonly recipes: ReadonlyMap<Part, PieceRecipe>;
  /** The page with the oldest turns. */
  readonly oldest: Part | undefined;
}

/** Joins the pages of one job by turn id, older pages in front (notes §2.6); `undefined` after an error. */
export function joinPages(parts: readonly Part[], report: Report, found: Tally): JoinedPages | undefined {
  let failed = false;
  const read = parts.map((part) => {
    const pieces = readPieces(part, report);
    if (pieces === undefined) failed = true;
    return { part, pieces: pieces ?? [], age: ageOf(part, pieces ?? []) };
  });
  if (failed) return undefined;
  read.sort((left, right) => compareAge(left.age, right.age));
  const byId = new Map<string, TurnPiece[]>();
  for (const { pieces } of read) {
    for (const piece of pieces) {
      const id = textOf(piece.value, 'id') ?? '';
      const known = byId.get(id);
      if (known === undefined) byId.set(id, [piece]);
      else known.push(piece);
    }
  }
  const merged = [...byId].map(([id, pieces]) => ({
    id,
    started: startOf(pieces),
    ...mergePieces(pieces, found),
  }));
  merged.sort((left, right) => compareText(left.started, right.started) || compareText(left.id, right.id));
  const places = new Map<TurnPiece, readonly [number, number, number]>();
  merged.forEach(({ starts }, index) => {
    for (const [piece, from] of starts) places.set(piece, [index, from, piece.messages.length]);
  });
  const recipes = new Map<Part, PieceRecipe>(
    read.map(({ part, pieces }) => [part, pieces.map((piece) => places.get(piece) ?? [0, 0, 0])]),
  );
  return { turns: merged, recipes, oldest: read[0]?.part };
}

function startOf([first]: readonly TurnPiece[]): string {
  return textOf(first?.value ?? {}, 'started_at') ?? '';
}

function readPieces({ value, pointer }: Part, report: Report): readonly TurnPiece[] | undefined {
  const job = objectIn(value, 'job');
  const base = appendPointer(pointer, 'job');
  const id = getOwn(job, 'id') ?? null;
  const turns = getOwn(job, 'turns');
  let failed = false;
  const wrong = (at: string, what: string): void => {
    failed = true;
    report('error', 'ankole/job-shape', at, what);
  };
  if (!(isNumeric(id) || (typeof id === 'string' && id !== '')))
    wrong(appendPointer(base, 'id'), 'id of a job is not a number');
  if (!isJsonArray(turns)) wrong(appendPointer(base, 'turns'), 'turns of a job are not a list');
  const pieces: TurnPiece[] = [];
  for (const [index, turn] of (isJsonArray(turns) ? turns : []).entries()) {
    const at = appendPointer(base, 'turns', index);
    const trajectory = isJsonObject(turn) ? (getOwn(turn, 'trajectory') ?? null) : null;
    const messages = isJsonObject(trajectory) ? (getOwn(trajectory, 'messages') ?? []) : [];
    if (!isJsonObject(turn)) wrong(at, 'a turn of a job is no object');
    else if (filledText(turn, 'id') === undefined)
      wrong(appendPointer(at, 'id'), 'id of a turn is not a text with something in it');
    else if (trajectory !== null && !isJsonObject(trajectory))
      wrong(appendPointer(at, 'trajectory'), 'trajectory of a turn is neither an object nor null');
    else if (!isJsonArray(messages))
      wrong(appendPointer(at, 'trajectory', 'messages'), 'messages of a turn are not a list');
    else pieces.push({ value: turn, pointer: at, messages });
  }
  const ids = new Set(pieces.map((piece) => textOf(piece.value, 'id')));
  if (ids.size < pieces.length)
    wrong(appendPointer(base, 'turns'), 'two turns of one page have the same id; a page has each turn once');
  return failed ? undefined : pieces;
}

/** What tells which of two pages is older: its first turn, then where its cursor stands; no cursor is the oldest page. */
interface Age {
  readonly started: string;
  readonly id: string;
  readonly position: number;
}

function ageOf({ value }: Part, pieces: readonly TurnPiece[]): Age {
  const [first] = [...pieces].sort((left, right) => {
    const [a, b] = [left.value, right.value];
    return (
      compareText(textOf(a, 'started_at') ?? '', textOf(b, 'started_at') ?? '') ||
      compareText(textOf(a, 'id') ?? '', textOf(b, 'id') ?? '')
    );
  });
  const cursor = getOwn(objectIn(value, 'job'), 'turns_next_cursor');
  return {
    started: textOf(first?.value ?? {}, 'started_at') ?? '',
    id: textOf(first?.value ?? {}, 'id') ?? '',
    position: typeof cursor === 'string' ? unitNamedBy(cursor).position : -1,
  };
}

function compareAge(left: Age, right: Age): number {
  return (
    compareText(left.started, right.started) ||
    compareText(left.id, right.id) ||
    left.position - right.position
  );
}
