import { compareText, getOwn, type JsonObject, type Report } from '@pchronicle/storyline-core';
import { objectIn, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { unitNamedBy } from './cursors.ts';
import { readPieces, type TurnPiece } from './job-pieces.ts';
import { mergePieces } from './merge-pieces.ts';
import type { Part } from './parts.ts';

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
