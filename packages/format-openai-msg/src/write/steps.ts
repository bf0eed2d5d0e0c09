import { integerFromBigInt, type JsonInteger, toBigInt } from '@pchronicle/storyline-core';
import type { Outline } from './outline.ts';

/** The `step_id` of each row: for a Storyline that came from rows the one its turn ids tell, else the number of the row (RFC-0009, derived identity). */
export function stepsOf({ context, rows }: Outline, fromRows: boolean): readonly JsonInteger[] {
  let last = 0n;
  const steps: JsonInteger[] = [];
  for (const { request, response } of fromRows ? rows : []) {
    const double = toBigInt(response.turn.id) - BigInt(context.length);
    const isTold =
      double % 2n === 0n &&
      (request === undefined || toBigInt(request.turn.id) === toBigInt(response.turn.id) - 1n);
    if (!isTold || double <= last) break;
    steps.push(integerFromBigInt(double / 2n));
    last = double;
  }
  return steps.length === rows.length ? steps : rows.map((_, ordinal) => ordinal + 1);
}
