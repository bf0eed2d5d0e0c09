import type { Report } from '../issue.ts';
import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/value.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';
import { type Patterned, tellByKind } from './tell-by-kind.ts';

/** Expressible pointers as a tree. */
interface Pattern {
  /** Whether a pattern ends here: the value is expressed, with all it holds. */
  whole: boolean;
  readonly next: Map<string, Pattern>;
}

/** Members that are no business of a writer: the version is given, and residuals travel by themselves. */
const ALWAYS = ['/schema_version', '/unknown_fields', '/unknown_key_counts'];
const NOTHING: Pattern = { whole: false, next: new Map() };

/**
 * Reports what a Storyline has and a target cannot express (decision G14): one loss `core/not-expressible` for each pointer with
 * array positions as `*`, however often it occurs; one that occurs once is named exactly.
 *
 * `expresses` is that of the format's {@link Fidelity}: a pattern covers everything below it, and `*` is any array position. An empty
 * list differs from none, so patterns below it do not express it. `reasons` may say why, by pointer with `*`.
 */
export function reportLosses(
  expresses: readonly string[],
  storyline: Storyline,
  report: Report,
  reasons: { readonly [pattern: string]: string } = {},
): void {
  tellByKind(unexpressed(storyline, expresses), (pointer, subject, pattern) => {
    const reason = Object.hasOwn(reasons, pattern) ? reasons[pattern] : 'the target has no place for it';
    report('loss', 'core/not-expressible', pointer, `${subject} is not written: ${reason}`);
  });
}

/** The largest parts of a Storyline that no pattern covers, in document order. */
function* unexpressed(storyline: Storyline, expresses: readonly string[]): Generator<Patterned> {
  const root = patternTree([...ALWAYS, ...expresses]);
  const pending: (readonly [part: Patterned, value: Json, pattern: Pattern])[] = [
    [{ pointer: '', pattern: '' }, storylineToJson(storyline), root],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [part, value, pattern] = next;
    const members = membersOf(value);
    const empty = members?.length === 0 && part.pointer !== '/turns';
    if (pattern.next.size === 0 || members === undefined || empty) {
      yield part;
      continue;
    }
    for (const [token, member] of members.reverse()) {
      const step = typeof token === 'number' ? '*' : token;
      const inner = pattern.next.get(step) ?? NOTHING;
      if (inner.whole) continue;
      const below = {
        pointer: appendPointer(part.pointer, token),
        pattern: appendPointer(part.pattern, step),
      };
      pending.push([below, member, inner]);
    }
  }
}

function membersOf(value: Json): (readonly [token: string | number, value: Json])[] | undefined {
  if (isJsonArray(value)) return value.map((element, index) => [index, element]);
  return isJsonObject(value) ? Object.keys(value).map((key) => [key, value[key] ?? null]) : undefined;
}

function patternTree(patterns: readonly string[]): Pattern {
  const root: Pattern = { whole: false, next: new Map() };
  for (const pattern of patterns) {
    let at = root;
    for (const token of parsePointer(pattern) ?? []) {
      const inner = at.next.get(token) ?? { whole: false, next: new Map() };
      at.next.set(token, inner);
      at = inner;
    }
    at.whole = true;
  }
  return root;
}
