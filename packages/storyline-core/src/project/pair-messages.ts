import type { Report } from '../issue.ts';
import {
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import type { MessageSource } from './chatml-document.ts';
import { entriesOf, type FoundEntry } from './ledger-entries.ts';
import { messageText } from './message-text.ts';
import { type LedgerVerdict, pairCalls } from './pair-calls.ts';

/** What becomes of messages that the ledger finds fault with. */
export interface PairingPolicy {
  /** Results without a call or ahead of it, of another kind than it, malformed; calls never finished, with their results; default `keep`. */
  readonly orphans?: 'keep' | 'drop' | 'report';
  /** Calls and results said twice; `first` keeps the first; default `keep`. */
  readonly duplicates?: 'keep' | 'first' | 'report';
  /** Calls without a result, which may wait for a person; default `keep`. */
  readonly unanswered?: 'keep' | 'drop' | 'report';
}

const ORPHANS: ReadonlySet<LedgerVerdict> = new Set([
  'orphan-result',
  'early-result',
  'name-mismatch',
  'type-mismatch',
  'not-executable',
  'invalid',
]);
const DUPLICATES: ReadonlySet<LedgerVerdict> = new Set([
  'duplicate-result',
  'duplicate-call',
  'conflicting-call',
]);

/**
 * Runs the ledger over ChatML messages, whose scopes and families their sources tell, and applies a policy; whatever is dropped is
 * reported too. Returns which messages are left, with their old positions; one of which only a dropped call said something is not.
 */
export function pairMessages(
  messages: readonly JsonObject[],
  sources: readonly MessageSource[],
  policy: PairingPolicy,
  report: Report,
): { readonly messages: readonly JsonObject[]; readonly positions: readonly number[] } {
  const entries = messages.flatMap((message, at) => entriesOf(message, at, sources[at]));
  const dropped = new Map<number, Set<number | undefined>>();
  pairCalls(entries).forEach(({ verdict }, at) => {
    const entry = entries[at] as FoundEntry;
    const rule = ORPHANS.has(verdict)
      ? (policy.orphans ?? 'keep')
      : DUPLICATES.has(verdict)
        ? (policy.duplicates ?? 'keep')
        : verdict === 'unanswered'
          ? (policy.unanswered ?? 'keep')
          : 'keep';
    if (rule === 'keep') return;
    const drop = rule !== 'report';
    const what = `${entry.kind} ${JSON.stringify(entry.id ?? null)}: ${verdict.replace('-', ' ')}`;
    report(
      drop ? 'loss' : 'warning',
      'core/unpaired-call',
      `/messages/${entry.message}`,
      `${what}${drop ? '; it is left out' : ''}`,
    );
    if (!drop) return;
    const of = dropped.get(entry.message) ?? new Set();
    dropped.set(entry.message, of.add(entry.call));
  });
  const kept: JsonObject[] = [];
  const positions: number[] = [];
  messages.forEach((message, at) => {
    const gone = dropped.get(at);
    if (gone?.has(undefined) === true) return;
    const rest = gone === undefined ? message : withoutCalls(message, gone);
    if (rest === undefined) return;
    kept.push(rest);
    positions.push(at);
  });
  return { messages: kept, positions };
}

/** A message without some of its calls; `undefined` where nothing is left of it. */
function withoutCalls(message: JsonObject, gone: ReadonlySet<number | undefined>): JsonObject | undefined {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(message)) if (key !== 'tool_calls') setOwn(copy, key, message[key] as Json);
  const calls = getOwn(message, 'tool_calls');
  const kept = isJsonArray(calls) ? calls.filter((_, at) => !gone.has(at)) : [];
  if (kept.length > 0) copy.tool_calls = kept;
  else if (messageText(copy.content) === '' && copy.reasoning_content === undefined) return undefined;
  return copy;
}
