import { type Json, type StorylineDiff, stringifyPieces } from '@pchronicle/storyline-core';
import { type Subject, turnCount } from './read-side.ts';

/** A comparison as the JSON object that scripts rely on, in pieces. */
export function diffJson(left: Subject, right: Subject, diff: StorylineDiff): Iterable<string> {
  const { equal, first, alignment, head, counts, profile, ignored } = diff;
  const value = {
    left: side(left),
    right: side(right),
    equal,
    first: first ?? null,
    counts,
    head,
    alignment,
    profile,
    ignored,
  };
  return stringifyPieces(value as unknown as Json);
}

function side(subject: Subject): Json {
  const { id, from, storyline } = subject;
  return { from, id, format: storyline.origin?.format ?? null, turns: turnCount(subject) };
}
