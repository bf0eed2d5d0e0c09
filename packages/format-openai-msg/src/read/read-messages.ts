import {
  appendPointer,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@pchronicle/storyline-core';
import { BARE, OTHER, OUTPUT, OWN, toolItem, USER, WITH_REASON } from '../history/flags.ts';
import type { RowItems } from '../history/recipe.ts';
import { buildWhole } from '../message/build.ts';
import { type Extra, isMapped, type MessageView, viewMessage } from '../message/view.ts';
import { type CallTracker, trackCalls } from './answers.ts';
import type { KnownMessages } from './known-messages.ts';
import type { NewResult } from './part.ts';
import { copyFlags, coreOf } from './same.ts';
import { isAssistantOutput, type Selection } from './select.ts';

/** What is known of a session before a row. */
export interface KnownSession {
  readonly known: KnownMessages;
  /** Messages whose calls a Storyline does not have. */
  readonly others: Set<number>;
  /** Call id → the message that made the first call of that id. */
  readonly firstCalls: ReadonlyMap<string, number>;
  /** The messages of the row before, and its output. */
  readonly history: RowItems;
}

/** The messages and the output of a row, taken apart. */
export interface ReadMessages extends RowItems {
  /** The history of the next row: the messages as positions among those of the session, the output at last when it is the response. */
  readonly history: RowItems;
  readonly outputRef: number;
  readonly results: readonly NewResult[];
  /** For each result where the plain rule looks for its call: a message, OWN, or `undefined`. */
  readonly answers: readonly (number | undefined)[];
  /** Residuals: pointers inside the row. */
  readonly leftovers: Extra[];
  readonly withoutContent: readonly string[];
  readonly positions: { readonly [pointer: string]: readonly number[] };
}

/**
 * Tells copies from new messages (decisions O1, O12, O13) and takes the new ones apart: the n-th occurrence of a message in a row is a copy
 * when the session already has n of them. Where a row repeats the history in order, each message of it is compared once.
 * `ownIds`: of the calls that the output makes, in its text too. `places`: in the first row, the positions of the context messages. `see` is told the messages
 * that turns are made of.
 */
export function readMessages(
  session: KnownSession,
  selection: Selection,
  output: MessageView,
  ownIds: ReadonlySet<string>,
  places: ReadonlyMap<number, number>,
  see: (pointer: string) => void,
): ReadMessages {
  const { known, others, firstCalls, history } = session;
  const { messages, response, lastUser } = selection;
  const items: number[] = [];
  const refs: number[] = [];
  const flags: number[] = [];
  const results: NewResult[] = [];
  const answers: (number | undefined)[] = [];
  const leftovers: Extra[] = [];
  const withoutContent: string[] = [];
  const positions: { [pointer: string]: readonly number[] } = {};
  const calls = trackCalls();
  // In the first row the output may stand among the context messages: it is one of the known ones then.
  const own = places.get(selection.output);
  let outputRef = own ?? -1;
  // Where the row is in the history, and the message that is expected next.
  let place = 0;
  let carried = 0;
  let next = history.items[0] ?? 0;
  const keep = (pointer: string, view: MessageView, isNew = true): void => {
    for (const [inside, value] of view.extras) leftovers.push([pointer + inside, value]);
    if (isNew) see(pointer);
    if (isNew && view.withoutContent) withoutContent.push(pointer);
    if (isNew && view.positions !== undefined) positions[pointer] = view.positions;
  };
  const follow = (ref: number): void => {
    place = history.items.indexOf(ref, history.items[place] === ref ? place : 0) + 1;
    // What is not in the history comes in the order of the session.
    next = history.items[place || -1] ?? ref + 1;
  };
  const repeat = (ref: number, flag: number, view: MessageView | undefined, index: number): void => {
    items.push(ref);
    refs.push(ref);
    const first = ref === OWN ? output : known.view(ref);
    // Where there is no reasoning the flag changes nothing: that of the copy before makes one range of both.
    carried = first?.reason === undefined ? carried : flag & WITH_REASON;
    flags.push(flag | carried);
    if ((flag & BARE) !== 0 && view !== undefined) keep(`/messages/${index}`, view, false);
    if (ref === OWN) calls.made(output, 'own');
    else noteKnown(first, others.has(ref) ? undefined : ref, calls);
  };
  known.startRow();
  messages.forEach((message, index) => {
    const pointer = `/messages/${index}`;
    const first = places.get(index);
    if (first !== undefined) {
      const view = known.view(first) as MessageView;
      known.use(first);
      follow(first);
      repeat(first, 0, undefined, index);
      keep(pointer, view);
      // A context turn has no slot for the reasoning (decision O16).
      if (view.reason !== undefined) leftovers.push([`${pointer}/reasoning_content`, view.reason]);
      return;
    }
    const copy = index === selection.output ? undefined : known.match(message, next);
    if (copy !== undefined) {
      follow(copy.ref);
      repeat(copy.ref, copy.flags, copy.view, index);
      return;
    }
    const view = index === selection.output ? output : isMapped(message) ? viewMessage(message) : undefined;
    if (
      index !== selection.output &&
      view?.role === 'assistant' &&
      isAssistantOutput(selection) &&
      equalJson(coreOf(null, view), coreOf(null, output))
    ) {
      const reasoned = view.reason === output.reason ? undefined : known.reasoned(view);
      if (reasoned !== undefined) repeat(reasoned.ref, reasoned.flags, view, index);
      else
        repeat(
          own ?? OWN,
          copyFlags(output, view, view.reason !== undefined && view.reason === output.reason),
          view,
          index,
        );
      return;
    }
    const ref = known.add(message, view);
    refs.push(ref);
    flags.push(0);
    if (index === selection.output) {
      items.push(OUTPUT);
      outputRef = ref;
      calls.made(output, 'own');
    } else if (view?.callId !== undefined) {
      const { callId, content } = view;
      items.push(toolItem(results.length));
      keep(pointer, view);
      const answer = calls.answered(callId);
      const byId = firstCalls.get(callId) ?? (ownIds.has(callId) ? OWN : undefined);
      answers.push(answer === undefined ? byId : 'own' in answer ? OWN : answer.ref);
      results.push({ callId, content, answer, pointer });
    } else if (index === lastUser && view !== undefined) {
      items.push(USER);
      keep(pointer, view);
    } else {
      items.push(OTHER);
      others.add(ref);
      leaveWhole(message, view, pointer, leftovers);
      noteKnown(view, undefined, calls);
    }
  });
  if (response !== undefined) outputRef = known.add(response, output, isAssistantOutput(selection));
  keep(response === undefined ? `/messages/${selection.output}` : '/response', output, own === undefined);
  if (response !== undefined) refs.push(OWN);
  return {
    items,
    flags,
    history: { items: refs.map((ref) => (ref === OWN ? outputRef : ref)), flags },
    outputRef,
    results,
    answers,
    leftovers,
    withoutContent,
    positions,
  };
}

/** Notes a message of the history: calls that later results may answer, or a result that answers one. */
function noteKnown(view: MessageView | undefined, ref: number | undefined, calls: CallTracker): void {
  if (view?.role === 'assistant') calls.made(view, ref);
  else if (view?.callId !== undefined) calls.answered(view.callId);
}

/** A message without a place in a Storyline is a residual, key by key; one that is no object, or has no keys, as a whole (decisions O7, O12). */
export function leaveWhole(
  message: Json,
  view: MessageView | undefined,
  pointer: string,
  leftovers: Extra[],
): void {
  const whole: Json = view === undefined ? message : buildWhole(view);
  const keys = isJsonObject(whole) ? Object.keys(whole) : [];
  if (keys.length === 0) leftovers.push([pointer, whole]);
  for (const key of keys) leftovers.push([appendPointer(pointer, key), (whole as JsonObject)[key] as Json]);
}
