import { getOwn } from '@pchronicle/storyline-core';
import { BARE, OTHER, OUTPUT, OWN, toolItem, USER, WITH_REASON } from '../history/flags.ts';
import { isMapped, isToolMessage, type MessageView, viewMessage } from '../message/view.ts';
import { contentFlags, isUnchangedBy } from './content-flags.ts';
import type { KnownMessages } from './known-messages.ts';
import { sameCore, sameExtras } from './same.ts';
import type { Selection } from './select.ts';

/** What each message of a row is: a copy of a known message, or something new. */
export interface MatchedRow {
  readonly items: readonly number[];
  readonly flags: ReadonlyMap<number, number>;
  /** Copies that have extras of their own: position → view. */
  readonly ownExtras: ReadonlyMap<number, MessageView>;
}

/** What the matcher knows of the session. */
export interface MatchContext {
  readonly known: KnownMessages;
  /** First row: position → context message. */
  readonly context: ReadonlyMap<number, number>;
}

/**
 * Tells copies from new messages (decisions O1, O12, O13): the n-th occurrence of a message in a row is a copy when the session already
 * has n of them. Where a row repeats the history in order, each message of it is compared once.
 */
export function matchRow(selection: Selection, output: MessageView, context: MatchContext): MatchedRow {
  const matched = matchMessages(selection, output, context);
  return matched.flags.size === 0
    ? matched
    : { ...matched, flags: spreadFlags(matched, context.known, output) };
}

/** Gives all copies of a row the same flags where that changes nothing, so that a recipe has one range for many messages. */
function spreadFlags(
  matched: MatchedRow,
  known: KnownMessages,
  output: MessageView,
): ReadonlyMap<number, number> {
  let all = 0;
  for (const flag of matched.flags.values()) all |= flag;
  const spread = new Map<number, number>();
  for (const [index, item] of matched.items.entries()) {
    if (item < 0 && item !== OWN) continue;
    const own = matched.flags.get(index) ?? 0;
    const view = item === OWN ? output : known.view(item);
    const flags = isUnchangedBy(view, all & ~own) ? all : own;
    if (flags !== 0) spread.set(index, flags);
  }
  return spread;
}

function matchMessages(selection: Selection, output: MessageView, context: MatchContext): MatchedRow {
  const { messages, lastUser } = selection;
  const { known } = context;
  const items: number[] = [];
  const flags = new Map<number, number>();
  const ownExtras = new Map<number, MessageView>();
  let tools = 0;
  let previous = -1;
  // In the first row the output may stand among the context messages: it is one of the known ones then.
  const own = context.context.get(selection.output) ?? OWN;
  known.startRow();
  const note = (index: number, flag: number, view: MessageView | undefined): void => {
    if (flag !== 0) flags.set(index, flag);
    if ((flag & BARE) !== 0 && view !== undefined) ownExtras.set(index, view);
  };
  messages.forEach((message, index) => {
    const first = context.context.get(index);
    if (first !== undefined) {
      known.use(first);
      items.push(first);
      previous = first;
      return;
    }
    if (index === selection.output) {
      items.push(OUTPUT);
      return;
    }
    const copy = known.match(message, previous);
    if (copy !== undefined) {
      items.push(copy.ref);
      note(index, copy.flags, copy.view);
      previous = copy.ref;
      return;
    }
    const view = isMapped(message) ? viewMessage(message) : undefined;
    if (view?.role === 'assistant' && isAssistantOutput(selection) && sameCore(view, output)) {
      const reasoned = view.reason === output.reason ? undefined : known.reasoned(view);
      if (reasoned !== undefined) {
        items.push(reasoned.ref);
        note(index, reasoned.flags, view);
        return;
      }
      items.push(own);
      note(index, ownFlags(view, output), view);
    } else if (isToolMessage(message)) {
      items.push(toolItem(tools));
      tools += 1;
    } else items.push(index === lastUser ? USER : OTHER);
  });
  return { items, flags, ownExtras };
}

/** Whether the output, as later rows would repeat it, is an assistant message. */
export function isAssistantOutput({ response }: Selection): boolean {
  const role = response === undefined ? 'assistant' : getOwn(response, 'role');
  return role === undefined || role === null || role === 'assistant';
}

function ownFlags(view: MessageView, output: MessageView): number {
  const reasoned = view.reason !== undefined && view.reason === output.reason;
  return (reasoned ? WITH_REASON : 0) | (sameExtras(view, output) ? 0 : BARE) | contentFlags(output, view);
}
