import type { Report } from '../issue.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';
import { readStoryline } from './read.ts';

/**
 * Checks a Storyline that somebody built: every rule that {@link readStoryline} knows, and no throw on garbage.
 * Gives it in canonical form (the same object when it is canonical), or `undefined` after an error.
 * Opaque values (`msg`, `args`, `extra`, …) are looked at from outside only.
 */
export function validateStoryline(storyline: Storyline, report: Report): Storyline | undefined {
  return readStoryline(storylineToJson(storyline), report);
}
