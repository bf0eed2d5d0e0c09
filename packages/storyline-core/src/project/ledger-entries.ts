import { stringify } from '../json/stringify.ts';
import { getOwn, isJsonArray, type Json, type JsonObject } from '../json/value.ts';
import { chainStateOf, objectOf } from './chain-state.ts';
import type { MessageSource } from './chatml-document.ts';
import type { LedgerEntry } from './pair-calls.ts';

/** An entry, and where it stands. */
export interface FoundEntry extends LedgerEntry {
  readonly message: number;
  /** Position in `tool_calls`; undefined for a result. */
  readonly call?: number;
}

/** Parts of a result that a provider takes. */
const RESULT_PARTS: ReadonlySet<Json | undefined> = new Set(['input_text', 'input_image', 'input_file']);

/** What a message holds for the ledger; its source tells scope and family. */
export function entriesOf(
  message: JsonObject,
  at: number,
  source: MessageSource | undefined,
): readonly FoundEntry[] {
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
  return calls.map((call, position): FoundEntry => {
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
