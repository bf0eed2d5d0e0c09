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

/** A part of a Storyline that a target has no place for. */
export interface UnexpressedPart {
  readonly pointer: string;
  /** The pointer with `*` for array positions. */
  readonly pattern: string;
}

/**
 * The largest parts of a Storyline that no pattern of `expresses` covers, in document order: what a writer has no place for
 * (decision G14). In a pattern, `*` is any array position, as in `Fidelity.expresses`.
 */
export function* unexpressedParts(storyline: Storyline, expresses: readonly string[]): Iterable<UnexpressedPart> {
  const root = patternTree([...alwaysExpressed, ...expresses]);
  const pending: (readonly [part: UnexpressedPart, value: Json, pattern: Pattern])[] = [
    [{ pointer: '', pattern: '' }, storylineToJson(storyline), root],
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [part, value, pattern] = next;
    const members = membersOf(value);
    // An empty list holds nothing that a deeper pattern could cover.
    if (pattern.next.size === 0 || members === undefined || (members.length === 0 && pattern !== root)) {
      yield part;
      continue;
    }
    for (const [token, member] of members.reverse()) {
      const step = isJsonArray(value) ? '*' : token;
      const inner = pattern.next.get(step) ?? nothing;
      if (inner.whole) continue;
      const pointers = { pointer: appendPointer(part.pointer, token), pattern: appendPointer(part.pattern, step) };
      pending.push([pointers, member, inner]);
    }
  }
}

/** The pointers of {@link unexpressedParts}. */
export function* unexpressed(storyline: Storyline, expresses: readonly string[]): Iterable<string> {
  for (const { pointer } of unexpressedParts(storyline, expresses)) yield pointer;
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
