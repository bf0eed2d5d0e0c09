import {
  defined,
  effectivePrompt,
  fieldsOf,
  getOwn,
  type Json,
  type JsonInteger,
  type Report,
  type Storyline,
} from '@pchronicle/storyline-core';
import { OTHER, OUTPUT, OWN, toolIndex, toolItem, USER } from '../history/flags.ts';
import { type Layout, readLayout } from '../history/layout.ts';
import { planMessages, type RowAdditions } from '../history/plan.ts';
import { formsOf, type MessageForm, readItems } from '../history/recipe.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { type Entry, makeEntry, withResiduals } from './entry.ts';
import { linkedResults, resultMessage, structuredCalls, turnMessage } from './messages.ts';
import type { Outline, PlacedTurn, RowOutline } from './outline.ts';
import { collisionReport, type RowResiduals, rowResiduals } from './residuals.ts';
import { stepsOf } from './steps.ts';

/** One row, ready to be written: its messages as references, so that the whole session costs no more than its distinct messages. */
export interface PlannedRow {
  readonly outline: RowOutline;
  readonly step: JsonInteger;
  /** Position in the file; `undefined` when the row follows the others. */
  readonly place?: number;
  /** Positions among the entries; `undefined` when the row has no list of messages. */
  readonly messages?: readonly number[];
  /** Position in `messages` → flags. */
  readonly flags: ReadonlyMap<number, number>;
  /** Messages that appear first in this row: they are written with their reasoning. */
  readonly first: ReadonlySet<number>;
  /** The response, when it does not stand among the messages. */
  readonly response?: Json;
  readonly residuals: RowResiduals;
}

/** A Storyline as rows. */
export interface PlannedSession {
  readonly entries: readonly Entry[];
  readonly rows: readonly PlannedRow[];
  /** Whether the Storyline came from rows. */
  readonly fromRows: boolean;
}

/** Whether a Storyline came from OpenAI Messages rows. */
export function isFromRows(story: Pick<Storyline, 'origin' | 'unknown_fields'>): boolean {
  return (
    story.origin?.format === SOURCE ||
    fieldsOf(story, SOURCE) !== undefined ||
    fieldsOf(story, LAYOUT_SOURCE) !== undefined
  );
}

/** The layout of a Storyline's rows, as it came from its source (decision O2); `undefined` when it has none, or none that fits its turns. */
export function layoutOf(story: Storyline, outline: Outline): Layout | undefined {
  const isPrompted = story.prompt !== undefined || story.turns.some((turn) => turn.prompt !== undefined);
  if (isPrompted || outline.rows.some((row) => row.before.length > 0)) return undefined;
  return readLayout(layoutJson(story), outline.rows.length);
}

/** The layout as its source has it. */
export function layoutJson(head: Pick<Storyline, 'unknown_fields'>): Json | undefined {
  return getOwn(fieldsOf(head, LAYOUT_SOURCE) ?? {}, `/${ROWS_MEMBER}`);
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
  const fromRows = isFromRows(story);
  const steps = stepsOf(outline, fromRows);
  const collide = collisionReport(story, report);
  const residuals = rowResiduals(story, outline.rows.length, layout?.index, report);
  const others = Object.keys(fieldsOf(story, SOURCE) ?? {}).length;
  const entries: Entry[] = [];
  const add = (message: Json): number => entries.push(makeEntry(message)) - 1;
  /** Call id → the message that makes the call. */
  const callers = new Map<string, number>();
  let history: number[] = [];

  // Context messages stand in the first row: their residuals and forms are found there when its items are known.
  const contextForms = new Map<number, PlacedTurn>();
  for (const placed of outline.context) {
    const calls = placed.turn.tool_calls ?? [];
    const ref = add(turnMessage(placed.turn, calls, plainForm));
    for (const call of calls) callers.set(call.tcid, ref);
    contextForms.set(ref, placed);
    history.push(ref);
  }
  const prompts = promptWriter(story, add);
  const rows: PlannedRow[] = [];
  for (const [ordinal, row] of outline.rows.entries()) {
    const step = steps[ordinal] as JsonInteger;
    const own = residuals.get(ordinal) ?? noResiduals;
    const { turn } = row.response;
    const known = entries.length;
    const recipe = layout?.recipes.get(ordinal) ?? {};
    const list = getOwn(recipe, 'messages');
    const hasResponse = getOwn(recipe, 'response') !== false;
    const formOf = formsOf(recipe, others);
    const given = list === undefined || list === null ? undefined : readItems(list, known, history.length);
    if (list !== undefined && list !== null && given === undefined) return undefined;
    for (const placed of row.before) history.push(addBefore(placed, add, callers));
    prompts.write(history, row);
    const results = linkedResults(turn);
    const calls = structuredCalls(turn, step);
    const ownIds = new Set(calls.map((call) => call.tcid));
    const answers = results.map((result) => (ownIds.has(result.callId) ? OWN : callers.get(result.callId)));
    const request = row.request?.turn.msg;
    let items = given?.items;
    const late: number[] = [];
    if (list === undefined) {
      items = planMessages(
        history,
        defined<RowAdditions>({ answers, request }),
        (ref) => entries[ref]?.shape ?? { inLoop: false, isResult: false },
      );
      answers.forEach((answer, index) => {
        if (answer === OWN) late.push(toolItem(index));
      });
    }
    const fault = (inside: string) => (pointer: string) => collide(inside + pointer, ordinal);
    const messages: number[] = [];
    const first = new Set<number>();
    let output = -1;
    for (const [position, item] of (items ?? []).entries()) {
      const pointer = `/messages/${position}`;
      const extras = own.get(pointer);
      if (item === OWN) {
        messages.push(OWN);
        continue;
      }
      const context = item >= 0 ? contextForms.get(item) : undefined;
      if (item >= 0 && context === undefined) {
        messages.push(item);
        continue;
      }
      let message: Json;
      if (context !== undefined)
        message = turnMessage(context.turn, context.turn.tool_calls ?? [], formOf(pointer));
      else if (item === USER) message = turnMessage(row.request?.turn ?? turn, [], formOf(pointer));
      else if (item === OUTPUT) message = turnMessage(turn, calls, formOf(pointer));
      else if (item === OTHER) message = {};
      else
        message = resultMessage(results[toolIndex(item)] ?? { callId: '', content: null }, formOf(pointer));
      message = withResiduals(message, extras, fault(pointer));
      first.add(position);
      if (context !== undefined) {
        entries[item] = makeEntry(message);
        contextForms.delete(item);
        messages.push(item);
      } else {
        const ref = add(message);
        messages.push(ref);
        if (item === OUTPUT) output = ref;
      }
    }
    let response: Json | undefined;
    if (hasResponse) {
      response = withResiduals(
        turnMessage(turn, calls, formOf('/response')),
        own.get('/response'),
        fault('/response'),
      );
      output = add(response);
    }
    for (const [position, item] of messages.entries()) if (item === OWN) messages[position] = output;
    if (output !== -1) for (const call of calls) callers.set(call.tcid, output);
    history = [...messages];
    if (response !== undefined) history.push(output);
    for (const item of late)
      history.push(add(resultMessage(results[toolIndex(item)] ?? { callId: '', content: null }, plainForm)));
    rows.push(
      defined<PlannedRow>({
        outline: row,
        step,
        flags: given?.flags ?? noFlags,
        first,
        place: layout?.index?.[ordinal],
        messages: items === undefined || (items.length === 0 && list === undefined) ? undefined : messages,
        response,
        residuals: own,
      }),
    );
  }
  return { entries, rows, fromRows };
}

const plainForm: MessageForm = { withoutContent: false };
const noFlags: ReadonlyMap<number, number> = new Map();
const noResiduals: RowResiduals = new Map();

function addBefore(placed: PlacedTurn, add: (message: Json) => number, callers: Map<string, number>): number {
  const calls = placed.turn.src === 'agent' ? (placed.turn.tool_calls ?? []) : [];
  const ref = add(turnMessage(placed.turn, calls, plainForm));
  for (const call of calls) callers.set(call.tcid, ref);
  return ref;
}

interface PromptWriter {
  /** Brings the prompt that holds for a row's response into the history. */
  write(history: number[], row: RowOutline): void;
}

/** Writes prompts, which have no slot of their own, as system and user messages: the system one in front, the user one where it changes. */
function promptWriter(story: Storyline, add: (message: Json) => number): PromptWriter {
  let system: { readonly ref: number; readonly text: string } | undefined;
  let user: string | undefined;
  return {
    write(history, { request, response }) {
      const prompt = effectivePrompt(story, response.turn);
      if (prompt.system !== (system?.text ?? '')) {
        const at = system === undefined ? -1 : history.indexOf(system.ref);
        const next =
          prompt.system === ''
            ? undefined
            : { ref: add({ role: 'system', content: prompt.system }), text: prompt.system };
        history.splice(Math.max(at, 0), at === -1 ? 0 : 1, ...(next === undefined ? [] : [next.ref]));
        system = next;
      }
      if (prompt.user === '' || prompt.user === user) return;
      user = prompt.user;
      if (request?.turn.msg !== prompt.user) history.push(add({ role: 'user', content: prompt.user }));
    },
  };
}
