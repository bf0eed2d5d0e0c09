import {
  appendPointer,
  defined,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  memberOf,
  parseJson,
  type RecordValue,
  type Report,
  setOwn,
} from '@pchronicle/storyline-core';
import { OTHER, OUTPUT, OWN, USER } from '../history/flags.ts';
import { planMessages, type RowAdditions, shapeOfMessage } from '../history/plan.ts';
import { type RowRecipe, writeItems } from '../history/recipe.ts';
import { buildWhole } from '../message/build.ts';
import { type Extra, isMapped, type MessageView, viewMessage } from '../message/view.ts';
import { trackCalls } from './answers.ts';
import type { CheckedRow } from './check-row.ts';
import { decodeObject } from './decode-object.ts';
import { knownMessages } from './known-messages.ts';
import { isAssistantOutput, type MatchedRow, matchRow } from './match-row.ts';
import type { Answer, ContextPart, NewResult, RowPart } from './part.ts';
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
  /** Call id → the message that made the first call of that id. */
  const firstCalls = new Map<string, number>();
  /** Messages whose calls a Storyline does not have. */
  const others = new Set<number>();
  let history: number[] = [];
  let rows = 0;

  const noteCalls = (view: MessageView, ref: number): void => {
    for (const call of view.calls) if (!firstCalls.has(call.id)) firstCalls.set(call.id, ref);
  };

  /** The messages of the first row before its last user message become context turns (RFC-0009, turn construction). */
  const readContext = ({ messages, lastUser }: Selection): Map<number, number> => {
    const places = new Map<number, number>();
    for (let index = 0; index < lastUser; index += 1) {
      const message = messages[index];
      const role = memberOf(message, 'role');
      if (!isJsonObject(message) || (role !== 'system' && role !== 'user' && role !== 'assistant')) continue;
      const view = viewMessage(message);
      const ref = known.add(message, view);
      noteCalls(view, ref);
      context.push({ view, ref, pointer: `/messages/${index}` });
      places.set(index, ref);
    }
    history = [...places.values()];
    return places;
  };

  const read = (checked: CheckedRow, at: RecordValue, report: Report): RowPart | undefined => {
    const { row } = checked;
    const selection = selectMessages(row);
    if (selection === undefined) {
      const message =
        'the row has no assistant output: neither its response nor an assistant message has content, a refusal or tool calls';
      report('error', 'openai-msg/no-output', at.at.pointer, message);
      return undefined;
    }
    const { messages, response, lastUser } = selection;
    const outputSource = response ?? (messages[selection.output] as JsonObject);
    const output = viewMessage(outputSource, response !== undefined);
    const places: ReadonlyMap<number, number> = rows === 0 ? readContext(selection) : new Map();
    const before = known.size;
    const matched = matchRow(selection, output, { known, context: places });
    const outputPointer = response === undefined ? `/messages/${selection.output}` : '/response';
    const leftovers: Extra[] = [];
    const found: NewResult[] = [];
    const answers: (number | undefined)[] = [];
    const calls = trackCalls();
    const withoutContent: string[] = [];
    const positions: { [pointer: string]: readonly number[] } = {};
    const leave = (pointer: string, extras: readonly Extra[] = []): void => {
      for (const [inside, value] of extras) leftovers.push([pointer + inside, value]);
    };
    const noteForm = (pointer: string, view: MessageView): void => {
      if (view.withoutContent) withoutContent.push(pointer);
      if (view.positions !== undefined) positions[pointer] = view.positions;
    };
    const refs: number[] = [];
    let outputRef = places.get(selection.output) ?? -1;
    matched.items.forEach((item, index) => {
      const message = messages[index] as Json;
      const pointer = `/messages/${index}`;
      if (item >= 0) {
        const view = known.view(item);
        refs.push(item);
        if (view?.role === 'assistant') calls.made(view, others.has(item) ? undefined : item);
        else if (view?.callId !== undefined) calls.answered(view.callId);
        const own = matched.ownExtras.get(index);
        const first = places.get(index) === item ? view : undefined;
        leave(pointer, (own ?? first)?.extras);
        if (first !== undefined) noteForm(pointer, first);
        // A context turn has no slot for the reasoning (decision O16).
        if (first?.reason !== undefined) leftovers.push([`${pointer}/reasoning_content`, first.reason]);
        return;
      }
      if (item === OWN) {
        refs.push(OWN);
        calls.made(output, 'own');
        leave(pointer, matched.ownExtras.get(index)?.extras);
        return;
      }
      const view = item === OUTPUT ? output : isMapped(message) ? viewMessage(message) : undefined;
      const ref = known.add(message, view);
      refs.push(ref);
      if (item === OUTPUT) {
        outputRef = ref;
        calls.made(output, 'own');
        return;
      }
      if (item === OTHER || view === undefined) {
        others.add(ref);
        leaveWhole(message, view, pointer, leftovers);
        if (view?.role === 'assistant') calls.made(view, undefined);
        return;
      }
      leave(pointer, view.extras);
      noteForm(pointer, view);
      if (item === USER) return;
      const callId = view.callId ?? '';
      const answer = calls.answered(callId);
      answers.push(refOf(answer, callId, output));
      found.push({ callId, content: view.content, answer, pointer });
    });
    if (response !== undefined) outputRef = known.add(response, output, isAssistantOutput(selection));
    leave(outputPointer, output.extras);
    if (!places.has(selection.output)) noteForm(outputPointer, output);
    leaveRest(row, selection, leftovers);
    const asked = messages[lastUser];
    const request = asked === undefined ? undefined : { content: viewMessage(asked as JsonObject).content };
    const recipe = defined<RowRecipe>({
      messages: messagesRecipe(
        row,
        matched,
        selection,
        defined<RowAdditions>({ answers, request: request?.content }),
        before,
      ),
      response: response === undefined ? false : undefined,
      without_content: withoutContent.length > 0 ? withoutContent : undefined,
      calls: Object.keys(positions).length > 0 ? positions : undefined,
    });
    for (let index = 0; index < refs.length; index += 1) if (refs[index] === OWN) refs[index] = outputRef;
    history = refs;
    if (response !== undefined) history.push(outputRef);
    noteCalls(output, outputRef);
    warnOfRepeatedKeys(row, outputSource, at.at.pointer, outputPointer, report);
    rows += 1;
    const meta = decodeObject(getOwn(row, 'meta_json'));
    return defined<RowPart>({
      index: at.index,
      pointer: at.at.pointer,
      step: checked.step,
      ts: checked.ts,
      request,
      output,
      outputPointer,
      outputRef,
      results: found,
      leftovers,
      row: withoutMessages(row),
      meta,
      state: meta && decodeObject(getOwn(meta, 'env_state')),
      recipe: Object.keys(recipe).length > 0 ? recipe : undefined,
      isAlone: isAlone(matched, messages),
    });
  };

  /** Where the plain rule looks for the call of a result: the message that made it, or the first one with a call of that id. */
  const refOf = (answer: Answer, callId: string, output: MessageView): number | undefined => {
    if (answer !== undefined) return 'own' in answer ? OWN : answer.ref;
    const first = firstCalls.get(callId);
    if (first !== undefined) return first;
    return output.calls.some((call) => call.id === callId) ? OWN : undefined;
  };

  /** The messages of a row as a recipe has to give them; `undefined` when the plain rule does. */
  const messagesRecipe = (
    row: JsonObject,
    matched: MatchedRow,
    selection: Selection,
    additions: RowAdditions,
    before: number,
  ): RowRecipe['messages'] => {
    const list = getOwn(row, 'messages');
    if (!isJsonArray(list)) return history.length === 0 && additions.request === undefined ? undefined : null;
    const planned = planMessages(history, additions, (ref) => shapeOfMessage(known.raw(ref)));
    const plain =
      list.length > 0 &&
      selection.output === -1 &&
      matched.flags.size === 0 &&
      !additions.answers.includes(OWN) &&
      planned.length === matched.items.length &&
      planned.every((item, index) => item === matched.items[index]);
    return plain ? undefined : writeItems(matched, before);
  };

  return { context, read };
}

/** Whether the messages of a row are a plain new request and nothing else. */
function isAlone({ items }: MatchedRow, messages: readonly Json[]): boolean {
  const [message] = messages;
  if (items.length !== 1 || items[0] !== USER || !isJsonObject(message)) return false;
  const view = viewMessage(message);
  return view.extras.length === 0 && !view.withoutContent;
}

/** A message without a place in a Storyline is a residual, key by key; one that is no object, or has no keys, as a whole (decisions O7, O12). */
function leaveWhole(message: Json, view: MessageView | undefined, pointer: string, leftovers: Extra[]): void {
  const whole = view === undefined ? message : buildWhole(view);
  if (!isJsonObject(whole) || Object.keys(whole).length === 0) leftovers.push([pointer, whole]);
  else
    for (const key of Object.keys(whole)) leftovers.push([appendPointer(pointer, key), whole[key] as Json]);
}

/** Residuals of a row's messages and response that were not selected at all. */
function leaveRest(row: JsonObject, selection: Selection, leftovers: Extra[]): void {
  const list = getOwn(row, 'messages') ?? null;
  if (list !== null && !isJsonArray(list)) leftovers.push(['/messages', list]);
  const response = getOwn(row, 'response') ?? null;
  if (selection.response !== undefined || response === null) return;
  leaveWhole(response, undefined, '/response', leftovers);
}

/** Keys that stand twice in an object inside a text of the row: the last one counts (decision G5). */
function warnOfRepeatedKeys(
  row: JsonObject,
  output: JsonObject,
  pointer: string,
  outputPointer: string,
  report: Report,
): void {
  const warn = (at: string, text: Json | undefined): void => {
    if (typeof text !== 'string' || !/^[ \t\n\r]*[[{]/.test(text)) return;
    for (const issue of parseJson(text).issues) {
      if (issue.severity === 'error') continue;
      const message = `the JSON text has the key ${issue.at.pointer} twice; the last one is taken`;
      report('warning', 'openai-msg/repeated-key-in-text', pointer + at, message);
    }
  };
  warn('/meta_json', getOwn(row, 'meta_json'));
  const calls = getOwn(output, 'tool_calls');
  for (const [index, call] of (isJsonArray(calls) ? calls : []).entries()) {
    const text = memberOf(memberOf(call, 'function'), 'arguments');
    warn(`${outputPointer}/tool_calls/${index}/function/arguments`, text);
  }
}

function withoutMessages(row: JsonObject): JsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(row))
    if (key !== 'messages' && key !== 'response') setOwn(rest, key, row[key] as Json);
  return rest;
}
