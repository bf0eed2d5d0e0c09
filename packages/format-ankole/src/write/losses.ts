import {
  getOwn,
  missingFrom,
  type Report,
  type Storyline,
  storylineToJson,
  tellByKind,
} from '@pchronicle/storyline-core';

/** Root members that are no business of a writer: the version is given, residuals travel by themselves. */
const ALWAYS: ReadonlySet<string> = new Set(['schema_version', 'unknown_fields', 'unknown_key_counts']);

/**
 * Reports what of a Storyline the document written for it does not give back (decision G14), by comparing it with its rereading: one loss a
 * kind of place. What the reader adds is no loss.
 */
export function reportLosses(storyline: Storyline, reread: Storyline, report: Report): void {
  tellByKind(missing(storyline, reread), (pointer, subject, pattern) => {
    const why =
      pattern === '/turns'
        ? 'some turns become several messages, or none'
        : 'the document has no place for it';
    report('loss', 'ankole/not-expressible', pointer, `${subject} does not come back as it is: ${why}`);
  });
}

function* missing(storyline: Storyline, reread: Storyline) {
  const back = storylineToJson(reread);
  for (const [key, value] of Object.entries(storylineToJson(storyline)))
    if (!ALWAYS.has(key))
      yield* missingFrom(value, getOwn(back, key), { pointer: `/${key}`, pattern: `/${key}` });
}
