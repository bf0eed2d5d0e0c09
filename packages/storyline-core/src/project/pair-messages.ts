import type { Report } from '../issue.ts';
import { stringify } from '../json/stringify.ts';
import {
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { chainStateOf, objectOf } from './chain-state.ts';
import { messageText } from './message-text.ts';
import { type LedgerEntry, type LedgerVerdict, pairCalls } from './pair-calls.ts';
import type { MessageSource } from './to-chatml.ts';

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

interface Found extends LedgerEntry {
  readonly message: number;
  /** Position in `tool_calls`; undefined for a result. */
  readonly call?: number;
}

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
    const entry = entries[at] as Found;
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

/** Parts of a result that a provider takes. */
const RESULT_PARTS: ReadonlySet<Json | undefined> = new Set(['input_text', 'input_image', 'input_file']);

function entriesOf(message: JsonObject, at: number, source: MessageSource | undefined): Found[] {
  const isStored = source !== undefined && chainStateOf(source.turn) !== undefined;
  if (getOwn(message, 'role') === 'tool') {
    const result = objectOf(source?.result) ?? {};
    const family = isStored ? familyOf(getOwn(result, 'type')) : FUNCTION;
    return [
      {
        kind: 'result',
        scope: isStored ? scopeOf(result) : '',
        family,
        id: textOf(message, 'tool_call_id'),
        content: stringify(message),
        message: at,
        valid: !isStored || isWellFormed(getOwn(result, 'content'), family),
        // A name that was only filled in says nothing.
        ...nameOf(result),
      },
    ];
  }
  const calls = getOwn(message, 'tool_calls');
  if (!isJsonArray(calls)) return [];
  return calls.map((call, position): Found => {
    const given = objectOf(call) ?? {};
    const extra = (isStored ? objectOf(source.turn.tool_calls?.[position]?.extra) : undefined) ?? {};
    const status = textOf(objectOf(getOwn(extra, 'payload')) ?? {}, 'status');
    return {
      kind: 'call',
      scope: scopeOf(extra),
      family: familyOf(getOwn(extra, 'family')),
      id: textOf(given, 'id'),
      content: stringify(call),
      message: at,
      call: position,
      executable: status !== 'incomplete' && status !== 'in_progress',
      ...nameOf(objectOf(getOwn(given, 'function')) ?? {}),
    };
  });
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : undefined;
}

function nameOf(object: JsonObject): { readonly name?: string } {
  const name = textOf(object, 'name');
  return name === undefined ? {} : { name };
}

const FUNCTION = 'function';

/** The kind of call that an item of a stored row is or answers, which its type spells: `custom_tool_call_output` is of `custom_tool`. */
function familyOf(type: Json | undefined): string {
  return typeof type === 'string' ? type.replace(/(_call|_request)?(_output|_response)?$/, '') : FUNCTION;
}

/** A program's inner calls are a scope of their own. */
function scopeOf(item: JsonObject): string {
  const caller = objectOf(getOwn(item, 'caller')) ?? {};
  return getOwn(caller, 'type') === 'program' ? `program:${textOf(caller, 'caller_id') ?? ''}` : '';
}

function isWellFormed(content: Json | undefined, family: string): boolean {
  if ((family !== FUNCTION && family !== 'custom_tool') || typeof content === 'string') return true;
  return (
    isJsonArray(content) && content.every((part) => RESULT_PARTS.has(getOwn(objectOf(part) ?? {}, 'type')))
  );
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
