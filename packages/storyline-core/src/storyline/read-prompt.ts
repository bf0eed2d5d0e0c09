import type { Report } from '../issue.ts';
import type { JsonObject } from '../json/value.ts';
import { change } from './read-shape.ts';

/** A prompt without its empty sides; only on a turn may both be empty, which clears the prompt of the document (storyline-v1 §5). */
export function readPrompt(
  prompt: JsonObject,
  pointer: string,
  ofTurn: boolean,
  report: Report,
): JsonObject | undefined {
  const empty = Object.keys(prompt).filter((side) => prompt[side] === '');
  const sides = Object.keys(prompt).length;
  if (sides > empty.length) {
    return empty.length === 0 ? prompt : change(prompt, new Map(empty.map((side) => [side, undefined])));
  }
  if (ofTurn && sides === 2) return prompt;
  report(
    'error',
    'storyline/empty-prompt',
    pointer,
    ofTurn
      ? 'the prompt is empty; a turn needs a side that is not, or exactly {"system": "", "user": ""} to clear the prompt of the document'
      : 'the prompt is empty; the prompt of a document needs a system or user side that is not',
  );
  return undefined;
}
