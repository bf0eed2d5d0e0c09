import type { Subject } from './read-side.ts';

/** A trajectory of the baseline and the one that is to agree with it; either may be missing. */
export interface SubjectPair {
  readonly id: string;
  readonly baseline?: Subject;
  readonly current?: Subject;
}

/** Pairs two sides by id, equal ids in order; a single one on each side is a pair whatever the ids. */
export function pairSubjects(
  baseline: readonly Subject[],
  current: readonly Subject[],
): readonly SubjectPair[] {
  const [onlyBaseline] = baseline;
  const [onlyCurrent] = current;
  if (
    baseline.length === 1 &&
    current.length === 1 &&
    onlyBaseline !== undefined &&
    onlyCurrent !== undefined
  ) {
    return [{ id: onlyBaseline.id, baseline: onlyBaseline, current: onlyCurrent }];
  }
  const waiting = new Map<string, Subject[]>();
  for (const subject of current) {
    const same = waiting.get(subject.id);
    if (same === undefined) waiting.set(subject.id, [subject]);
    else same.push(subject);
  }
  const pairs: SubjectPair[] = baseline.map((subject) => {
    const match = waiting.get(subject.id)?.shift();
    return match === undefined
      ? { id: subject.id, baseline: subject }
      : { id: subject.id, baseline: subject, current: match };
  });
  for (const subjects of waiting.values())
    for (const subject of subjects) pairs.push({ id: subject.id, current: subject });
  return pairs;
}
