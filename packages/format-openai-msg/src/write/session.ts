import {
  defined,
  fieldsOf,
  type Json,
  type JsonInteger,
  memberOf,
  type Report,
  type Storyline,
  type ToolCall,
  type Turn,
} from '@pchronicle/storyline-core';
import { copyCode, OTHER, OUTPUT, OWN, toolIndex, USER, WITH_REASON } from '../history/flags.ts';
import type { Layout } from '../history/layout.ts';
import { planMessages, type RowAdditions } from '../history/plan.ts';
import { formsOf, type MessageForm, type RowItems, readItems } from '../history/recipe.ts';
import { SOURCE } from '../keys.ts';
import { decodeContent, embeddedCalls } from '../message/content.ts';
import { type Entry, makeEntry, withResiduals } from './entry.ts';
import {
  linkedResults,
  resultMessage,
  structuredCalls,
  turnMessage,
  type WrittenResult,
} from './messages.ts';
import { type Outline, stepsOf } from './outline.ts';
import { promptWriter } from './prompts.ts';
import { collisionReport, type RowResiduals, rowResiduals } from './residuals.ts';

/** One row, ready to be written: its messages as references, so that the whole session costs no more than its distinct messages. */
export interface PlannedRow {
  /** The response turn. */
  readonly turn: Turn;
  readonly step: JsonInteger;
  /** Position in the file; `undefined` when the row follows the others. */
  readonly place?: number;
  /** Entries by position, and the forms in which they stand here ({@link copyCode}); `undefined` when the row has no list of messages. */
  readonly messages?: Int32Array;
  /** The response, when it does not stand among the messages. */
  readonly response?: Json;
  readonly residuals: RowResiduals;
}

/** A Storyline as rows. */
export interface PlannedSession {
  readonly story: Storyline;
  readonly entries: readonly Entry[];
  readonly rows: readonly PlannedRow[];
  /** Whether the Storyline came from rows. */
  readonly fromRows: boolean;
}

/**
 * Plans the rows of a Storyline: which message stands where. `undefined` when the layout speaks of messages that are not there; whether
 * its rows read back as the Storyline's turns is for the caller to find out.
 */
export function planSession(
  story: Storyline,
  outline: Outline,
  layout: Layout | undefined,
  report: Report,
): PlannedSession | undefined {
  const { fromRows } = outline;
  const steps = stepsOf(outline);
  const collide = collisionReport(story, report);
  const residuals = rowResiduals(story, outline.rows.length, layout?.index, report);
  const others = Object.keys(fieldsOf(story, SOURCE) ?? {}).length;
  const entries: Entry[] = [];
  const add = (message: Json): number => entries.push(makeEntry(message)) - 1;
  /** Call id → the message that makes the call. */
  const callers = new Map<string, number>();
  /** The calls of a Storyline of another format. */
  const later = new Set(
    (fromRows ? [] : story.turns).flatMap((turn) => spokenCalls(turn).map(({ tcid }) => tcid)),
  );
  const say = (turn: Turn): number => {
    const ref = add(turnMessage(turn, spokenCalls(turn), plainForm));
    for (const { tcid } of spokenCalls(turn)) callers.set(tcid, ref);
    return ref;
  };

  // Context messages stand in the first row: their residuals and forms are found there when its items are known.
  const contexts = new Map(outline.context.map((turn) => [say(turn), turn]));
  let history: RowItems = { items: [...contexts.keys()], flags: [] };
  const prompted = promptWriter(story, add);
  const rows: PlannedRow[] = [];
  for (const [ordinal, row] of outline.rows.entries()) {
    const { response: turn, request } = row;
    const own = residuals.get(ordinal) ?? noResiduals;
    const recipe = layout?.recipes.get(ordinal) ?? {};
    const list = memberOf(recipe, 'messages');
    const formOf = formsOf(recipe, others);
    const calls = structuredCalls(turn, steps[ordinal] as JsonInteger);
    // A result may name a call of a text by the id that the text gives it, whatever the call is called.
    const spelled =
      calls.length > 0 ? calls : embeddedCalls(decodeContent(turn.msg), steps[ordinal] as JsonInteger);
    const ownIds = new Set([...spokenCalls(turn), ...spelled].map(({ tcid }) => tcid));
    const answerOf = ({ callId }: WrittenResult) => (ownIds.has(callId) ? OWN : callers.get(callId));
    // A result before its call is no history.
    const results = linkedResults(turn).filter(
      (one) => !later.has(one.callId) || answerOf(one) !== undefined,
    );
    const answers = results.map(answerOf);
    const earlier = prompted([...history.items, ...row.before.map(say)], row);
    const additions = defined<RowAdditions>({ answers, request: request?.msg });
    const given: RowItems | undefined =
      list === undefined
        ? { items: planMessages(earlier, additions, (ref) => entries[ref]?.shape), flags: [] }
        : readItems(list, entries.length, history);
    if (given === undefined && list !== null) return undefined;
    const newMessage = (item: number, form: MessageForm): Json => {
      const context = contexts.get(item);
      if (context !== undefined) return turnMessage(context, spokenCalls(context), form);
      if (item === USER) return turnMessage(request ?? turn, [], form);
      if (item === OUTPUT) return turnMessage(turn, calls, form);
      return item === OTHER ? {} : resultMessage(results[toolIndex(item)], form);
    };
    const whole = (item: number, pointer: string): Json =>
      withResiduals(newMessage(item, formOf(pointer)), own.get(pointer), (inside) =>
        collide(pointer + inside, ordinal),
      );
    let output = -1;
    const placed = given?.items.map((item, position) => {
      if (item === OWN || (item >= 0 && !contexts.has(item)))
        return copyCode(item, given.flags[position] ?? 0);
      const message = whole(item, `/messages/${position}`);
      const ref = item < 0 ? add(message) : item;
      if (item === OUTPUT) output = ref;
      // A context message is made when its place in the first row is known.
      if (contexts.delete(item)) entries[item] = makeEntry(message);
      // What appears first in this row has its reasoning.
      return copyCode(ref, WITH_REASON);
    });
    const response = memberOf(recipe, 'response') === false ? undefined : whole(OUTPUT, '/response');
    if (response !== undefined) output = add(response);
    const messages = placed?.map((copy) => (copy < 0 ? copyCode(output, copy) : copy));
    if (output !== -1) for (const id of ownIds) callers.set(id, callers.get(id) ?? output);
    // Results of the row's own calls stand in the next one.
    const late = list === undefined ? results.filter((_, index) => answers[index] === OWN) : [];
    history = {
      items: [
        ...(messages ?? []).map((copy) => copy >> 4),
        ...(response === undefined ? [] : [output]),
        ...late.map((result) => add(resultMessage(result, plainForm))),
      ],
      flags: given?.flags ?? [],
    };
    rows.push(
      defined<PlannedRow>({
        turn,
        step: steps[ordinal] as JsonInteger,
        place: layout?.index?.[ordinal],
        messages:
          list === undefined && messages?.length === 0 ? undefined : messages && Int32Array.from(messages),
        response,
        residuals: own,
      }),
    );
  }
  return { story, entries, rows, fromRows };
}

/** The calls of a turn that an assistant message can have. */
function spokenCalls({ src, tool_calls: calls = [] }: Turn): readonly ToolCall[] {
  return src === 'agent' ? calls : [];
}

const plainForm: MessageForm = { withoutContent: false };
const noResiduals: RowResiduals = new Map();
