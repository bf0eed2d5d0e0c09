import {
  appendPointer,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type Report,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';

/** Root members that are no business of a writer: the version is given, residuals travel by themselves. */
const ALWAYS: ReadonlySet<string> = new Set(['schema_version', 'unknown_fields', 'unknown_key_counts']);

interface Pair {
  readonly pointer: string;
  /** The pointer with `*` for positions. */
  readonly pattern: string;
  readonly left: Json;
  readonly right: Json | undefined;
}

/**
 * Reports what of a Storyline the document written for it does not give back (decision G14), by comparing it with its rereading: one loss a
 * place, places that differ in positions only told together. What the reader adds is no loss. No recursion.
 */
export function reportLosses(storyline: Storyline, reread: Storyline, report: Report): void {
  const found = new Map<string, { readonly first: string; count: number }>();
  const lose = ({ pattern, pointer }: Pair): void => {
    const known = found.get(pattern);
    if (known === undefined) found.set(pattern, { first: pointer, count: 1 });
    else known.count += 1;
  };
  const back = storylineToJson(reread);
  const pending: Pair[] = [];
  for (const [key, left] of Object.entries(storylineToJson(storyline)))
    if (!ALWAYS.has(key))
      pending.push({ pointer: `/${key}`, pattern: `/${key}`, left, right: getOwn(back, key) });
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const { pointer, pattern, left, right } = pair;
    if (left === right) continue;
    if (isJsonObject(left) && isJsonObject(right) && Object.keys(left).length > 0) {
      for (const [key, member] of Object.entries(left))
        pending.push({
          pointer: appendPointer(pointer, key),
          pattern: appendPointer(pattern, key),
          left: member,
          right: getOwn(right, key),
        });
    } else if (isJsonArray(left) && isJsonArray(right) && left.length === right.length) {
      left.forEach((element, index) => {
        pending.push({
          pointer: appendPointer(pointer, index),
          pattern: `${pattern}/*`,
          left: element,
          right: right[index],
        });
      });
    } else if (right === undefined || !equalJson(left, right)) {
      if (!(isJsonObject(left) && isJsonObject(right))) lose(pair);
    }
  }
  for (const [pattern, { first, count }] of found) {
    const pointer = count === 1 ? first : pattern;
    const times = count === 1 ? '' : ` (${count} times)`;
    const why =
      pattern === '/turns'
        ? 'some turns become several messages, or none'
        : 'the document has no place for it';
    report(
      'loss',
      'ankole/not-expressible',
      pointer,
      `${pointer} does not come back as it is${times}: ${why}`,
    );
  }
}
