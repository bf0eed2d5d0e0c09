import {
  defined,
  getOwn,
  getPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseText,
  type RecordValue,
  type Report,
  reportRepeatedKeys,
} from '@pchronicle/storyline-core';
import { OWN, USER } from '../history/flags.ts';
import { planMessages, type RowAdditions, shapeOfMessage } from '../history/plan.ts';
import { type RowRecipe, writeItems } from '../history/recipe.ts';
import { decodeContent, embeddedCalls } from '../message/content.ts';
import { isSpoken, type MessageView, viewMessage } from '../message/view.ts';
import type { CheckedRow } from './check-row.ts';
import { type KnownMessages, knownMessages } from './known-messages.ts';
import type { ContextPart, RowPart } from './part.ts';
import { leaveWhole, type ReadMessages, readMessages } from './read-messages.ts';
import { type Selection, selectMessages } from './select.ts';

/** Reads the rows of one session, in ascending order of their steps, and keeps of each only what it adds. */
export interface SessionReader {
  readonly context: readonly ContextPart[];
  /** Reads the next row; `undefined` after an error. */
  read(checked: CheckedRow, at: RecordValue, report: Report): RowPart | undefined;
}

/** Starts the reading of a session. */
export function sessionReader(): SessionReader {
  const known = knownMessages();
  const context: ContextPart[] = [];
  const firstCalls = new Map<string, number>();
  const session = { known, others: new Set<number>(), firstCalls };
  let history: readonly number[] = [];
  let rows = 0;

  const noteCalls = (ids: readonly string[], ref: number): void => {
    for (const id of ids) if (!firstCalls.has(id)) firstCalls.set(id, ref);
  };

  /** The messages of the first row before its last user message become context turns (RFC-0009, turn construction). */
  const readContext = ({ messages, lastUser }: Selection): Map<number, number> => {
    const places = new Map<number, number>();
    for (const [index, message] of messages.slice(0, Math.max(lastUser, 0)).entries()) {
      if (!isSpoken(message)) continue;
      const view = viewMessage(message);
      const ref = known.add(message, view);
      noteCalls(idsOf(view), ref);
      context.push({ view, ref, pointer: `/messages/${index}` });
      places.set(index, ref);
    }
    history = [...places.values()];
    return places;
  };

  const read = (
    { row, step, ts }: CheckedRow,
    { index, at }: RecordValue,
    report: Report,
  ): RowPart | undefined => {
    const selection = selectMessages(row);
    if (selection === undefined) {
      const message =
        'the row has no assistant output: no response or assistant message with content, a refusal or tool calls';
      report('error', 'openai-msg/no-output', at.pointer, message);
      return undefined;
    }
    const { messages, response, lastUser } = selection;
    const warn = (inside: string, text: Json | undefined): void =>
      reportRepeatedKeys(text, 'openai-msg/repeated-key-in-text', at.pointer + inside, report);
    const source = response ?? (messages[selection.output] as JsonObject);
    const outputPointer = response === undefined ? `/messages/${selection.output}` : '/response';
    const output = viewMessage(source, response !== undefined);
    // A refusal that is the message is never searched for markup.
    const content = decodeContent(getOwn(source, 'content') ?? null);
    const spelled = output.calls.length > 0 ? [] : embeddedCalls(content, step);
    const ownIds = [...idsOf(output), ...spelled.map(({ tcid }) => tcid)];
    const places = rows === 0 ? readContext(selection) : new Map<number, number>();
    const before = known.size;
    const taken = readMessages(session, selection, output, ownIds, places, (inside) =>
      warnOfTexts(getPointer(row, inside) as JsonObject, (at, text) => warn(inside + at, text)),
    );
    const { answers, leftovers, outputRef, positions, withoutContent } = taken;
    leaveRest(row, selection, leftovers);
    const asked = messages[lastUser];
    const request = asked === undefined ? undefined : { content: viewMessage(asked as JsonObject).content };
    const isPlain = isPlainRow(
      row,
      taken,
      selection,
      defined({ answers, request: request?.content }),
      history,
      known,
    );
    const recipe = defined<RowRecipe>({
      messages: isPlain ? undefined : isJsonArray(getOwn(row, 'messages')) ? writeItems(taken, before) : null,
      response: response === undefined ? false : undefined,
      without_content: withoutContent.length > 0 ? withoutContent : undefined,
      calls: Object.keys(positions).length > 0 ? positions : undefined,
    });
    history = taken.refs;
    noteCalls(ownIds, outputRef);
    rows += 1;
    const { messages: _messages, response: _response, ...rest } = row;
    const meta = decodeObject(getOwn(row, 'meta_json'));
    const state = meta && decodeObject(getOwn(meta, 'env_state'));
    if (meta !== undefined) warn('/meta_json', getOwn(row, 'meta_json'));
    if (state !== undefined) warn('/meta_json/env_state', memberOf(meta, 'env_state'));
    return defined<RowPart>({
      index,
      pointer: at.pointer,
      step,
      ts,
      request,
      output,
      spelled,
      outputPointer,
      outputRef,
      results: taken.results,
      leftovers,
      row: rest,
      meta,
      state,
      recipe: Object.keys(recipe).length > 0 ? recipe : undefined,
      isAlone: isAlone(taken, messages),
    });
  };
  return { context, read };
}

function idsOf({ calls }: MessageView): readonly string[] {
  return calls.map(({ id }) => id);
}

/** Whether the plain rule gives the messages of a row. */
function isPlainRow(
  row: JsonObject,
  { items, flags }: ReadMessages,
  { output }: Selection,
  additions: RowAdditions,
  history: readonly number[],
  known: KnownMessages,
): boolean {
  const list = getOwn(row, 'messages');
  if (!isJsonArray(list)) return history.length === 0 && additions.request === undefined;
  if (list.length === 0 || output !== -1 || flags.size > 0 || additions.answers.includes(OWN)) return false;
  const planned = planMessages(history, additions, (ref) => shapeOfMessage(known.raw(ref)));
  return planned.length === items.length && planned.every((item, position) => item === items[position]);
}

/** Whether the messages of a row are a plain new request and nothing else. */
function isAlone({ items }: ReadMessages, messages: readonly Json[]): boolean {
  const [message] = messages;
  if (items.length !== 1 || items[0] !== USER || !isJsonObject(message)) return false;
  const view = viewMessage(message);
  return view.extras.length === 0 && !view.withoutContent;
}

/** Residuals of a row's messages and response that were not selected at all. */
function leaveRest(row: JsonObject, selection: Selection, leftovers: RowPart['leftovers']): void {
  const list = getOwn(row, 'messages') ?? null;
  if (list !== null && !isJsonArray(list)) leftovers.push(['/messages', list]);
  const response = getOwn(row, 'response') ?? null;
  if (selection.response === undefined && response !== null)
    leaveWhole(response, undefined, '/response', leftovers);
}

/** Tells of repeated keys in the texts of a message that are read as values: its arguments, and a content of parts. */
function warnOfTexts(message: JsonObject, warn: (inside: string, text: Json | undefined) => void): void {
  const content = getOwn(message, 'content') ?? null;
  if (decodeContent(content) !== content) warn('/content', content);
  const calls = getOwn(message, 'tool_calls');
  for (const [index, call] of (isJsonArray(calls) ? calls : []).entries()) {
    const text = memberOf(memberOf(call, 'function'), 'arguments');
    warn(`/tool_calls/${index}/function/arguments`, text);
  }
}

/** The object that `meta_json` or `env_state` holds, as it is or as JSON text; `undefined` for anything else (RFC-0009, mapping). */
function decodeObject(value: Json | undefined): JsonObject | undefined {
  const decoded = typeof value === 'string' ? parseText(value) : value;
  return isJsonObject(decoded) ? decoded : undefined;
}
