import type { Report } from '../issue.ts';
import { stringify } from '../json/stringify.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { type LedgerEntry, type LedgerVerdict, pairCalls } from './pair-calls.ts';

/** What becomes of messages that the ledger finds fault with. */
export interface PairingPolicy {
  /** Results without a call, or ahead of it; default `keep`. */
  readonly orphans?: 'keep' | 'drop' | 'report';
  /** Calls and results said twice; `first` keeps the first; default `keep`. */
  readonly duplicates?: 'keep' | 'first' | 'report';
}

const ORPHANS: ReadonlySet<LedgerVerdict> = new Set([
  'orphan-result',
  'early-result',
  'name-mismatch',
  'type-mismatch',
  'invalid',
]);
const DUPLICATES: ReadonlySet<LedgerVerdict> = new Set([
  'duplicate-result',
  'duplicate-call',
  'conflicting-call',
]);

interface Found extends LedgerEntry {
  readonly message: number;
  /** Position in `tool_calls`; undefined for a result. */
  readonly call?: number;
}

/** Runs the ledger over ChatML messages and applies a policy; whatever is dropped is reported too. Returns which messages are left, with their old positions. */
export function pairMessages(
  messages: readonly JsonObject[],
  policy: PairingPolicy,
  report: Report,
): { readonly messages: readonly JsonObject[]; readonly positions: readonly number[] } {
  const entries = messages.flatMap(entriesOf);
  const dropped = new Map<number, Set<number | undefined>>();
  pairCalls(entries).forEach(({ verdict }, at) => {
    const entry = entries[at] as Found;
    const rule = ORPHANS.has(verdict)
      ? (policy.orphans ?? 'keep')
      : DUPLICATES.has(verdict)
        ? (policy.duplicates ?? 'keep')
        : 'keep';
    if (rule === 'keep') return;
    const drop = rule !== 'report';
    const what = `${entry.kind} ${JSON.stringify(entry.id ?? null)}: ${verdict.replace('-', ' ')}`;
    report(
      drop ? 'loss' : 'info',
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
    kept.push(gone === undefined ? message : withoutCalls(message, gone));
    positions.push(at);
  });
  return { messages: kept, positions };
}

function entriesOf(message: JsonObject, at: number): Found[] {
  if (getOwn(message, 'role') === 'tool') {
    const id = getOwn(message, 'tool_call_id');
    const name = getOwn(message, 'name');
    return [
      {
        kind: 'result',
        scope: '',
        family: 'function',
        id: typeof id === 'string' ? id : undefined,
        content: stringify(message),
        message: at,
        // A name that was only filled in says nothing.
        ...(typeof name === 'string' && name !== 'unknown' ? { name } : {}),
      },
    ];
  }
  const calls = getOwn(message, 'tool_calls');
  if (!isJsonArray(calls)) return [];
  return calls.map((call, position): Found => {
    const id = isJsonObject(call) ? getOwn(call, 'id') : undefined;
    const called = isJsonObject(call) ? getOwn(call, 'function') : undefined;
    const name = isJsonObject(called) ? getOwn(called, 'name') : undefined;
    return {
      kind: 'call',
      scope: '',
      family: 'function',
      id: typeof id === 'string' ? id : undefined,
      content: stringify(call),
      message: at,
      call: position,
      ...(typeof name === 'string' ? { name } : {}),
    };
  });
}

function withoutCalls(message: JsonObject, gone: ReadonlySet<number | undefined>): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(message)) {
    const value = message[key] as Json;
    const kept = key === 'tool_calls' && isJsonArray(value) ? value.filter((_, at) => !gone.has(at)) : value;
    if (key !== 'tool_calls' || (kept as readonly Json[]).length > 0) setOwn(copy, key, kept);
  }
  return copy;
}
