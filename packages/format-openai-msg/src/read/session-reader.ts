import {
  defined,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseText,
  type RecordValue,
  type Report,
} from '@pchronicle/storyline-core';
import type { RowItems } from '../history/recipe.ts';
import { contentOf, embeddedCalls } from '../message/content.ts';
import { isSpoken, type MessageView, viewMessage } from '../message/view.ts';
import type { CheckedRow } from './check-row.ts';
import { knownMessages } from './known-messages.ts';
import type { ContextPart, RowPart } from './part.ts';
import { leaveWhole, readMessages } from './read-messages.ts';
import { tellRepeatedKeys } from './repeated-keys.ts';
import { isAlone, recipeOf } from './row-recipe.ts';
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
  let history: RowItems = { items: [], flags: [] };
  let rows = 0;

  const noteCalls = (ids: Iterable<string>, ref: number): void => {
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
    history = { items: [...places.values()], flags: [] };
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
        'the row has no output: response and messages say nothing (response_json and messages_json are not read)';
      report('error', 'openai-msg/no-output', at.pointer, message);
      return undefined;
    }
    const { messages, response, lastUser } = selection;
    const source = response ?? messages[selection.output];
    const outputPointer = response === undefined ? `/messages/${selection.output}` : '/response';
    const output = viewMessage(source as JsonObject, response !== undefined);
    // A refusal that is the message is never searched for markup.
    const spelled = output.calls.length > 0 ? [] : embeddedCalls(contentOf(source), step);
    const ownIds = new Set([...idsOf(output), ...spelled.map(({ tcid }) => tcid)]);
    const places = rows === 0 ? readContext(selection) : new Map<number, number>();
    const repeated = tellRepeatedKeys(row, at.pointer, report);
    const taken = readMessages(
      { ...session, history },
      selection,
      output,
      ownIds,
      places,
      repeated.inMessage,
    );
    const { leftovers, outputRef, results } = taken;
    leaveRest(row, selection, leftovers);
    const request = lastUser === -1 ? undefined : { content: contentOf(messages[lastUser]) };
    const recipe = recipeOf(row, selection, taken, request, history, known);
    history = taken.history;
    noteCalls(ownIds, outputRef);
    rows += 1;
    const { messages: _messages, response: _response, ...rest } = row;
    const meta = decodeObject(memberOf(row, 'meta_json'));
    const state = meta && decodeObject(memberOf(meta, 'env_state'));
    if (meta !== undefined) repeated.inText(memberOf(row, 'meta_json'), '/meta_json');
    if (state !== undefined) repeated.inText(memberOf(meta, 'env_state'), '/meta_json/env_state');
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
      results,
      leftovers,
      row: rest,
      meta,
      state,
      recipe,
      isAlone: isAlone(taken, messages),
    });
  };
  return { context, read };
}

function idsOf({ calls }: MessageView): readonly string[] {
  return calls.map(({ id }) => id);
}

/** Residuals of a row's messages and response that were not selected at all. */
function leaveRest(row: JsonObject, selection: Selection, leftovers: RowPart['leftovers']): void {
  const list = memberOf(row, 'messages') ?? null;
  if (list !== null && !isJsonArray(list)) leftovers.push(['/messages', list]);
  const response = memberOf(row, 'response') ?? null;
  if (selection.response === undefined && response !== null)
    leaveWhole(response, undefined, '/response', leftovers);
}

/** The object that `meta_json` or `env_state` holds, as it is or as JSON text; `undefined` for anything else (RFC-0009, mapping). */
function decodeObject(value: Json | undefined): JsonObject | undefined {
  const decoded = typeof value === 'string' ? parseText(value) : value;
  return isJsonObject(decoded) ? decoded : undefined;
}
