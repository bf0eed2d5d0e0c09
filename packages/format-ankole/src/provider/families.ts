import { getOwn, type JsonObject } from '@pchronicle/storyline-core';
import { objectIn, textOf } from '../members.ts';

/** A family of Responses items: a call, its result, and the fields that pair them (notes §1.3). */
interface Family {
  readonly call: string;
  readonly result: string;
  readonly callKey: string;
  readonly resultKey: string;
}

const byCallId = (call: string, result: string): Family => ({
  call,
  result,
  callKey: 'call_id',
  resultKey: 'call_id',
});

const FAMILIES: readonly Family[] = [
  byCallId('function_call', 'function_call_output'),
  byCallId('custom_tool_call', 'custom_tool_call_output'),
  byCallId('program', 'program_output'),
  byCallId('tool_search_call', 'tool_search_output'),
  byCallId('brain_call', 'brain_output'),
  byCallId('computer_call', 'computer_call_output'),
  byCallId('shell_call', 'shell_call_output'),
  byCallId('apply_patch_call', 'apply_patch_call_output'),
  { call: 'local_shell_call', result: 'local_shell_call_output', callKey: 'call_id', resultKey: 'id' },
  {
    call: 'mcp_approval_request',
    result: 'mcp_approval_response',
    callKey: 'id',
    resultKey: 'approval_request_id',
  },
];

interface Known {
  readonly family: Family;
  readonly kind: 'call' | 'result';
}

const BY_TYPE: ReadonlyMap<string, Known> = new Map(
  FAMILIES.flatMap((family): (readonly [string, Known])[] => [
    [family.call, { family, kind: 'call' }],
    [family.result, { family, kind: 'result' }],
  ]),
);

/** What an item is to the pairing of calls and results. */
export interface FamilyItem {
  readonly kind: 'call' | 'result';
  /** Type of the call. */
  readonly family: string;
  /** The pairing id, where it is text. */
  readonly id: string | undefined;
  readonly idKey: string;
  /** A program's inner calls are a scope of their own. */
  readonly scope: string;
}

/** How an item takes part in the pairing; `undefined` for one that is neither call nor result. */
export function familyItemOf(item: JsonObject): FamilyItem | undefined {
  const known = BY_TYPE.get(textOf(item, 'type') ?? '');
  if (known === undefined) return undefined;
  const { family, kind } = known;
  const idKey = kind === 'call' ? family.callKey : family.resultKey;
  return { kind, family: family.call, id: textOf(item, idKey), idKey, scope: scopeOf(item) };
}

/** Where results of a type say their outcome, other than in `output`. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['program_output', 'result'],
  ['mcp_approval_response', 'approve'],
  ['tool_search_output', 'tools'],
]);

/** The member of a result that says its outcome. */
export function outcomeKeyOf(type: string): string {
  return OUTCOMES.get(type) ?? 'output';
}

/** Types of the results that a client sends, which count as input of a round. */
export const CLIENT_OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
]);

function scopeOf(item: JsonObject): string {
  const caller = objectIn(item, 'caller');
  if (textOf(caller, 'type') !== 'program') return '';
  const id = getOwn(caller, 'caller_id');
  return `program:${typeof id === 'string' ? id : ''}`;
}
