import { compareText, equalJson, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { filledText, objectOf, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import type { FreshMessages } from './job-pages.ts';
import type { TurnPiece } from './job-pieces.ts';

/** The pieces of one turn, put together. */
export interface MergedPieces {
  readonly value: JsonObject;
  readonly pieces: readonly TurnPiece[];
  readonly fresh: readonly FreshMessages[];
  /** By piece: position of its first message among those of the turn. */
  readonly starts: ReadonlyMap<TurnPiece, number>;
}

/**
 * Puts the pieces of one turn together, the older page's in front. Messages that stand on two pages (a page that was read twice, or again when
 * the job had gone on) count once: they are known by their ids, or by the whole piece being there already.
 */
export function mergePieces(pieces: readonly TurnPiece[], found: Tally): MergedPieces {
  const [first] = pieces as readonly [TurnPiece, ...TurnPiece[]];
  const fresh: FreshMessages[] = [];
  const starts = new Map<TurnPiece, number>();
  const messages: Json[] = [];
  const byId = new Map<string, number>();
  let { value } = first;
  for (const piece of pieces) {
    if (compareText(updatedAt(piece.value), updatedAt(value)) > 0) value = piece.value;
    const start = startIn(messages, byId, piece.messages) ?? messages.length;
    const shared = Math.min(messages.length - start, piece.messages.length);
    if (shared > 0)
      found.add(
        'info',
        'ankole/repeated-turn',
        piece.pointer,
        'messages of this turn stand on another page too; they count once',
      );
    starts.set(piece, start);
    fresh.push({ piece, from: shared, to: piece.messages.length });
    for (const message of piece.messages.slice(shared)) {
      const id = idOf(message);
      if (id !== undefined && !byId.has(id)) byId.set(id, messages.length);
      messages.push(message);
    }
  }
  return { value, pieces, fresh, starts };
}

/** Where a piece starts among the messages that are there already, if it shares some; all that would be shared must be equal. */
function startIn(
  messages: readonly Json[],
  byId: ReadonlyMap<string, number>,
  piece: readonly Json[],
): number | undefined {
  const id = idOf(piece[0]);
  const start = id === undefined ? 0 : byId.get(id);
  if (start === undefined || piece.length === 0) return undefined;
  const shared = Math.min(messages.length - start, piece.length);
  // Without an id, equal messages may be two: only the same piece is one.
  if (shared === 0 || (id === undefined && piece.length !== messages.length)) return undefined;
  for (let at = 0; at < shared; at += 1)
    if (!equalJson(messages[start + at] ?? null, piece[at] ?? null)) return undefined;
  return start;
}

function idOf(message: Json | undefined): string | undefined {
  return filledText(objectOf(message), 'id');
}

function updatedAt(turn: JsonObject): string {
  return textOf(turn, 'updated_at') ?? '';
}
