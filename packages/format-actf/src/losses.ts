import {
  describeJson,
  getOwn,
  missingFrom,
  type Report,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';

/** Members that residuals and the envelope take care of. */
const ELSEWHERE: ReadonlySet<string> = new Set(['unknown_fields', 'unknown_key_counts']);

/**
 * Reports what of a Storyline reading it back does not give (decisions G14, A11): `actf/no-slot` for what is gone,
 * `actf/reads-differently` for what has another value; each a loss at its pointer in the Storyline.
 */
export function reportLosses(story: Storyline, reread: Storyline, report: Report): void {
  const back = storylineToJson(reread);
  for (const [key, value] of Object.entries(storylineToJson(story))) {
    if (ELSEWHERE.has(key)) continue;
    const place = { pointer: `/${key}`, pattern: `/${key}`, shorter: true };
    for (const { pointer, ...lost } of missingFrom(value, getOwn(back, key), place)) {
      if (lost.now === undefined)
        report('loss', 'actf/no-slot', pointer, `ACTF has no place for ${pointer}; it is not written`);
      else
        report(
          'loss',
          'actf/reads-differently',
          pointer,
          `${pointer} is ${describeJson(lost.value)} and comes back from ACTF as ${describeJson(lost.now)}`,
        );
    }
  }
}
