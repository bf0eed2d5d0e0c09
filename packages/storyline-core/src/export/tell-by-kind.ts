/** A place to tell about; its pattern is the pointer with `*` for array positions. */
export interface Patterned {
  readonly pointer: string;
  readonly pattern: string;
}

/** So many kinds are told; a Storyline may have any number of keys. */
const MOST_KINDS = 1_000;

/**
 * Tells of many places kind by kind, in the order in which they first occur: a place that is alone of its kind by its own pointer, more by their
 * pattern and number. Kinds past the thousandth are told together, at the root.
 *
 * @param tell Gets the pointer to report at, the subject of a sentence about it (`/notes`, `/turns/…/id (3 times)`), and the kind's pattern.
 */
export function tellByKind(
  places: Iterable<Patterned>,
  tell: (pointer: string, subject: string, pattern: string) => void,
): void {
  const kinds = new Map<string, { count: number; readonly first: string }>();
  let others = 0;
  for (const { pointer, pattern } of places) {
    const known = kinds.get(pattern);
    if (known !== undefined) known.count += 1;
    else if (kinds.size < MOST_KINDS) kinds.set(pattern, { count: 1, first: pointer });
    else others += 1;
  }
  for (const [pattern, { count, first }] of kinds) {
    if (count === 1) tell(first, first, pattern);
    else tell(pattern, `${pattern} (${count} times)`, pattern);
  }
  if (others > 0) tell('', `the rest (${others} values of other kinds)`, '');
}
