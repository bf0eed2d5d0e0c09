import {
  missingMembers,
  type Report,
  type Storyline,
  type Turn,
  tellByKind,
} from '@pchronicle/storyline-core';

/**
 * Reports what of a Storyline the document written for it does not give back (decision G14), by comparing it with its rereading: one loss a
 * kind of place. What the reader adds is no loss. Turns that were not `placed` are told as such, and the others compared with each other.
 */
export function reportLosses(
  storyline: Storyline,
  placed: ReadonlySet<Turn>,
  reread: Storyline,
  report: Report,
): void {
  const left = storyline.turns.flatMap((turn, at) => (placed.has(turn) ? [] : [at]));
  tellByKind(
    left.map((at) => ({ pointer: `/turns/${at}`, pattern: '/turns/*' })),
    (pointer, subject) =>
      report(
        'loss',
        'ankole/turn-without-row',
        pointer,
        `${subject} names no row that it could be written into, so it is left out`,
      ),
  );
  const back = reread.turns.values();
  // What was left out stands for itself here, so that pointers are those of the Storyline.
  const turns =
    reread.turns.length === placed.size
      ? storyline.turns.map((turn) => (placed.has(turn) ? (back.next().value as Turn) : turn))
      : reread.turns;
  tellByKind(missingMembers(storyline, { ...reread, turns }), (pointer, subject, pattern) => {
    const why =
      pattern === '/turns'
        ? 'some turns become several messages, or none'
        : 'the document has no place for it';
    report('loss', 'ankole/not-expressible', pointer, `${subject} does not come back as it is: ${why}`);
  });
}
