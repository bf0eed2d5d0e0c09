import {
  canonicalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type LedgerEntry,
  type LedgerVerdict,
  type MutableJsonObject,
  pairCalls,
} from '@pchronicle/storyline-core';
import { textOf, without } from '../members.ts';
import { type FamilyItem, familyItemOf } from './families.ts';

/** What a provider gets of a conversation, and what was kept from it. */
export interface ProviderView {
  readonly items: readonly JsonObject[];
  /** Ids and counts of what was left out, by reason. */
  readonly quarantine: JsonObject;
}

/** Names of the reasons in the report. */
const REASONS: Partial<Record<LedgerVerdict, string>> = {
  'orphan-result': 'orphan_call_ids',
  'early-result': 'orphan_call_ids',
  'duplicate-result': 'duplicate_call_ids',
  'duplicate-call': 'duplicate_call_ids',
  'type-mismatch': 'type_mismatch_call_ids',
  'name-mismatch': 'name_mismatch_call_ids',
  'not-executable': 'non_executable_call_ids',
};

/** Kinds of parts that a result may have. */
const RESULT_PARTS: ReadonlySet<string> = new Set(['input_text', 'input_image', 'input_file']);

/**
 * The items of a conversation as the provider gets them (notes §1.7): a result only behind its call, in its scope and of its family; the
 * first call and the first result of an id; unfinished and malformed calls with their results left out. Other items pass. The report
 * says what was left out and why.
 */
export function providerView(items: readonly JsonObject[]): ProviderView {
  const entries: LedgerEntry[] = [];
  const positions: number[] = [];
  const searches = numberSearches();
  items.forEach((item, at) => {
    const of = familyItemOf(item);
    if (of === undefined) return;
    entries.push(searches(entryOf(item, of)));
    positions.push(at);
  });
  const dropped = new Set<number>();
  const ids = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  pairCalls(entries).forEach(({ verdict }, at) => {
    if (verdict === 'paired' || verdict === 'unanswered') return;
    dropped.add(positions[at] as number);
    const { kind, id } = entries[at] as LedgerEntry;
    const reason = REASONS[verdict];
    if (reason === undefined || id === undefined)
      count(kind === 'result' ? 'invalid_call_id_count' : 'invalid_tool_call_count');
    else ids.set(reason, (ids.get(reason) ?? new Set()).add(id));
  });
  const quarantine: MutableJsonObject = {};
  for (const [reason, found] of ids) quarantine[reason] = [...found];
  for (const [reason, number] of counts) quarantine[reason] = number;
  return { items: items.filter((_, at) => !dropped.has(at)), quarantine };
}

/** Gives searches of tools by the server, which have no id, one by their order: the first call is answered first (notes §1.3). */
function numberSearches(): (entry: LedgerEntry) => LedgerEntry {
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  return (entry) => {
    const { kind, scope, family, id } = entry;
    if (family !== 'tool_search_call' || id !== undefined) return entry;
    const [mine, limit] =
      kind === 'call' ? [asked, Number.POSITIVE_INFINITY] : [answered, asked.get(scope) ?? 0];
    const number = (mine.get(scope) ?? 0) + 1;
    // A result too many is malformed: nothing asked for it.
    if (number > limit) return entry;
    mine.set(scope, number);
    return { ...entry, scope: `search:${scope}`, id: String(number) };
  };
}

/** An item as the ledger sees it. */
export function entryOf(item: JsonObject, of: FamilyItem): LedgerEntry {
  const name = textOf(item, 'name');
  const status = textOf(item, 'status');
  return {
    kind: of.kind,
    scope: of.scope,
    family: of.family,
    id: of.id === '' ? undefined : of.id,
    content: canonicalJson(without(item, 'id', 'status')),
    ...(name === undefined ? {} : { name }),
    executable: of.kind === 'result' || (status !== 'incomplete' && status !== 'in_progress'),
    valid: of.kind === 'call' ? isWellFormedCall(item, of) : isWellFormedResult(item, of),
  };
}

function isWellFormedCall(item: JsonObject, { family }: FamilyItem): boolean {
  if (family === 'function_call') return hasText(item, 'name') && hasText(item, 'arguments');
  if (family === 'custom_tool_call') return hasText(item, 'name') && hasText(item, 'input');
  return true;
}

function hasText(item: JsonObject, key: string): boolean {
  return textOf(item, key) !== undefined;
}

function isWellFormedResult(item: JsonObject, { family }: FamilyItem): boolean {
  if (family !== 'function_call' && family !== 'custom_tool_call') return true;
  const output = getOwn(item, 'output');
  return typeof output === 'string' || (isJsonArray(output) && output.every(isResultPart));
}

function isResultPart(part: Json): boolean {
  return isJsonObject(part) && RESULT_PARTS.has(textOf(part, 'type') ?? '');
}
