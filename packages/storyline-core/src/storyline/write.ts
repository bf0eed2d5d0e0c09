import type { JsonObject } from '../json/value.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';
import { readStoryline } from './read.ts';

/**
 * A Storyline as the JSON document that is written: the canonical form of {@link readStoryline}. One that is canonical already
 * comes back as the same object; one that breaks a rule is written as it is (validate it first).
 */
export function writeStoryline(storyline: Storyline): JsonObject {
  const json = storylineToJson(storyline);
  return storylineToJson(readStoryline(json, () => undefined) ?? storyline);
}
