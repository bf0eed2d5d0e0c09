import type { Report } from '../issue.ts';
import type { Json } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { readShape } from './read-shape.ts';
import { storylineRules } from './storyline-rules.ts';

/**
 * Reads a Storyline v1 document: checks every rule of storyline-v1 (§2 to §8, §11) and gives the canonical form.
 *
 * Canonical: no optional key is null; inside `task.result` no "", {} or null; a "" prompt side only in the clear pair of a turn;
 * no `parent.rel` of `spawn`, no call `kind` of ""; no empty `env`, `env.state` or residual block; `unknown_key_counts` recounted,
 * there exactly when `unknown_fields` is. Objects that are canonical already are shared with the input, not copied.
 *
 * `undefined` after an error. `pointer` is where the value stands in its document; issues point below it.
 */
export function readStoryline(value: Json, report: Report, pointer = ''): Storyline | undefined {
  return (readShape(value, 'storyline', pointer, storylineRules(report), report) ?? undefined) as unknown as
    | Storyline
    | undefined;
}
