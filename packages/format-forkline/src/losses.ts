import {
  appendPointer,
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type Report,
  type Storyline,
  storylineToJson,
  type Turn,
} from '@pchronicle/storyline-core';

/** Root members that are no business of a writer: the version is given, and residuals travel by themselves. */
const ALWAYS = new Set(['schema_version', 'unknown_fields', 'unknown_key_counts']);

/** A part of the Storyline and what rereading gives for it. */
interface Pair {
  readonly pointer: string;
  /** The pointer with `*` for positions of turns and calls. */
  readonly pattern: string;
  readonly original: Json;
  readonly reread: Json | undefined;
}

/**
 * Reports what of a Storyline does not come back from the artifact written for it (decision G14), by comparing it with its rereading:
 * one loss a place, places that differ in positions only being told together. What the reader adds is no loss. No recursion.
 */
export function reportLosses(storyline: Storyline, reread: Storyline, own: boolean, report: Report): void {
  const found = new Map<string, { readonly first: string; count: number }>();
  const lose = (pointer: string, pattern: string): void => {
    const known = found.get(pattern);
    if (known === undefined) found.set(pattern, { first: pointer, count: 1 });
    else known.count += 1;
  };
  const back = storylineToJson(reread);
  const pairs: Pair[] = [];
  for (const [key, original] of Object.entries(storylineToJson(storyline))) {
    // Where an artifact of ours comes from does not change; the version in its origin was migrated.
    if (ALWAYS.has(key) || (own && key === 'origin')) continue;
    const pointer = `/${key}`;
    if (key === 'turns' && storyline.turns.length !== reread.turns.length) {
      lose(pointer, pointer);
      loseUnused(storyline.turns, lose);
    } else pairs.push({ pointer, pattern: pointer, original, reread: back[key] });
  }
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { pointer, pattern, original: a, reread: b } = pair;
    if (a === b || (b !== undefined && isScalar(a) && equalJson(a, b))) continue;
    if (isJsonObject(a) && isJsonObject(b) && Object.keys(a).length > 0) {
      for (const [key, original] of Object.entries(a)) {
        pairs.push({
          pointer: appendPointer(pointer, key),
          pattern: appendPointer(pattern, key),
          original,
          reread: Object.hasOwn(b, key) ? b[key] : undefined,
        });
      }
    } else if (isJsonArray(a) && isJsonArray(b) && a.length === b.length) {
      for (const [index, original] of a.entries()) {
        pairs.push({
          pointer: appendPointer(pointer, index),
          pattern: `${pattern}/*`,
          original,
          reread: b[index],
        });
      }
    } else if (!(isJsonObject(a) && isJsonObject(b))) lose(pointer, pattern);
  }
  for (const [pattern, { first, count }] of found) {
    const pointer = count === 1 ? first : pattern;
    const times = count === 1 ? '' : ` (${count} times)`;
    const why =
      pattern === '/turns'
        ? 'some turns become several events, or one does not come back'
        : 'an artifact has no place for it';
    report(
      'loss',
      'forkline/not-expressible',
      pointer,
      `${pointer} does not come back as it is${times}: ${why}`,
    );
  }
}

/** Members of a turn that no event has a place for, whatever becomes of the turn. */
const UNUSED = [
  'kind',
  'finished_at',
  'reason',
  'effort',
  'nllm',
  'latency_ms',
  'ttft_ms',
  'copied',
  'prompt',
] as const;

function loseUnused(turns: readonly Turn[], lose: (pointer: string, pattern: string) => void): void {
  for (const [index, turn] of turns.entries()) {
    for (const key of UNUSED) {
      if (turn[key] !== undefined) lose(`/turns/${index}/${key}`, `/turns/*/${key}`);
    }
  }
}

function isScalar(value: Json): boolean {
  return !isJsonObject(value) && !isJsonArray(value);
}
