import { appendPointer, parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/value.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';

/** Members that are no business of a writer: the version is given, and residuals travel by themselves. */
const alwaysExpressed = ['/schema_version', '/unknown_fields', '/unknown_key_counts'];

interface Pattern {
  /** Whether the pattern ends here: the value is expressed, with all it holds. */
  whole: boolean;
  readonly next: Map<string, Pattern>;
}

/**
 * Pointers of the largest parts of a Storyline that no pattern of `expresses` covers, in document order: what a writer has no place for
 * (decision G14). In a pattern, `*` is any array position, as in `Fidelity.expresses`.
 */
export function* unexpressed(storyline: Storyline, expresses: readonly string[]): Iterable<string> {
  const root = patternTree([...alwaysExpressed, ...expresses]);
  const pending: (readonly [pointer: string, value: Json, pattern: Pattern])[] = [
    ['', storylineToJson(storyline), root],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pointer, value, pattern] = next;
    const members = membersOf(value);
    // An empty list differs from none, so patterns below it do not express it; `turns` is always there.
    if (pattern.next.size === 0 || members === undefined || (members.length === 0 && pointer !== '/turns')) {
      yield pointer;
      continue;
    }
    for (const [token, member] of members.reverse()) {
      const inner = pattern.next.get(isJsonArray(value) ? '*' : token) ?? nothing;
      if (!inner.whole) pending.push([appendPointer(pointer, token), member, inner]);
    }
  }
}

const nothing: Pattern = { whole: false, next: new Map() };

function membersOf(value: Json): (readonly [token: string, value: Json])[] | undefined {
  if (isJsonArray(value)) return value.map((element, index) => [String(index), element]);
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
