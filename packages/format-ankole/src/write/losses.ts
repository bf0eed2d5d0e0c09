import { missingMembers, type Report, type Storyline, tellByKind } from '@pchronicle/storyline-core';

/**
 * Reports what of a Storyline the document written for it does not give back (decision G14), by comparing it with its rereading: one loss a
 * kind of place. What the reader adds is no loss.
 */
export function reportLosses(storyline: Storyline, reread: Storyline, report: Report): void {
  tellByKind(missingMembers(storyline, reread), (pointer, subject, pattern) => {
    const why =
      pattern === '/turns'
        ? 'some turns become several messages, or none'
        : 'the document has no place for it';
    report('loss', 'ankole/not-expressible', pointer, `${subject} does not come back as it is: ${why}`);
  });
}
