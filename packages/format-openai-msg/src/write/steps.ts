import { integerFromBigInt, isInteger, type JsonInteger, toBigInt } from '@pchronicle/storyline-core';
import type { Outline } from './outline.ts';

/** The `step_id` of each row: for a Storyline that came from rows the one its turn ids tell, else the number of the row (RFC-0009, derived identity). */
export function stepsOf(outline: Outline, fromRows: boolean): readonly JsonInteger[] {
  const numbered = outline.rows.map((_, ordinal) => ordinal + 1);
  if (!fromRows) return numbered;
  const contexts = BigInt(outline.context.length);
  const steps: JsonInteger[] = [];
  let last = 0n;
  for (const { request, response } of outline.rows) {
    if (!isInteger(response.turn.id)) return numbered;
    const id = toBigInt(response.turn.id);
    const step = (id - contexts) / 2n;
    const fits =
      step > last &&
      2n * step + contexts === id &&
      (request === undefined || toBigInt(request.turn.id) === id - 1n);
    if (!fits) return numbered;
    steps.push(integerFromBigInt(step));
    last = step;
  }
  return steps;
}
