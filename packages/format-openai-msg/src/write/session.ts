import {
  effectivePrompt,
  equalJson,
  fieldsOf,
  getOwn,
  type Json,
  type JsonInteger,
  type Report,
  type Storyline,
} from '@pchronicle/storyline-core';
import { OTHER, OUTPUT, OWN, toolIndex, toolItem, USER } from '../history/flags.ts';
import { type Layout, readLayout } from '../history/layout.ts';
import { planMessages } from '../history/plan.ts';
import { countNew, type RowRecipe, readRecipe } from '../history/recipe.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { type Entry, makeEntry, withResiduals } from './entry.ts';
import { linkedResults, type MessageForm, resultMessage, structuredCalls, turnMessage } from './messages.ts';
import { type Outline, outlineTurns, type PlacedTurn, type RowOutline } from './outline.ts';
import { misplacedSeverity, type RowResiduals, rowResiduals } from './residuals.ts';
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
  readonly residuals?: RowResiduals;
}

/** A Storyline as rows. */
export interface PlannedSession {
  readonly outline: Outline;
  readonly entries: readonly Entry[];
  readonly rows: readonly PlannedRow[];
  /** Whether the Storyline came from rows. */
  readonly fromRows: boolean;
  /** Whether the step ids are those that the turn ids tell. */
  readonly stepsKept: boolean;
}

/** Whether a Storyline came from OpenAI Messages rows. */
export function isFromRows(story: Pick<Storyline, 'origin' | 'unknown_fields'>): boolean {
  return (
    story.origin?.format === SOURCE ||
    fieldsOf(story, SOURCE) !== undefined ||
    fieldsOf(story, LAYOUT_SOURCE) !== undefined
  );
}

/** Plans the rows of a Storyline: which message stands where. A layout that does not fit (the Storyline was edited) is left aside. */
export function planSession(story: Storyline, report: Report): PlannedSession {
  const outline = outlineTurns(story.turns, fieldsOf(story, SOURCE) !== undefined);
  const json = getOwn(fieldsOf(story, LAYOUT_SOURCE) ?? {}, `/${ROWS_MEMBER}`);
  const layout = readLayout(json, outline.rows.length);
  const prompted = story.prompt !== undefined || story.turns.some((turn) => turn.prompt !== undefined);
  const fits = layout !== undefined && !prompted && outline.rows.every((row) => row.before.length === 0);
  const planned = fits ? planRows(story, outline, layout, report) : undefined;
  if (planned !== undefined) return planned;
  if (json !== undefined) {
    const message =
      'the layout of the rows does not fit the turns any more, which were changed since; the rows are rebuilt by the plain rule';
    report('warning', 'openai-msg/layout-ignored', `/unknown_fields/sources/${LAYOUT_SOURCE}`, message);
  }
  return planRows(story, outline, undefined, report) as PlannedSession;
}

function planRows(
  story: Storyline,
  outline: Outline,
  layout: Layout | undefined,
  report: Report,
): PlannedSession | undefined {
  const fromRows = isFromRows(story);
  const { steps, kept } = stepsOf(outline, fromRows);
  const faults: Parameters<Report>[] = [];
  const residuals = rowResiduals(story, outline.rows.length, layout?.index, (...fault) => faults.push(fault));
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
    const own = residuals.get(ordinal);
    const { turn } = row.response;
    const known = entries.length;
    const json = layout?.recipes.get(ordinal);
    const recipe: RowRecipe | undefined = json === undefined ? {} : readRecipe(json, known, history.length);
    if (recipe === undefined) return undefined;
    for (const placed of row.before) history.push(addBefore(placed, add, callers));
    prompts.write(history, row);
    const results = linkedResults(turn);
    const calls = structuredCalls(turn, step);
    const ownIds = new Set(calls.map((call) => call.tcid));
    const answers = results.map((result) => (ownIds.has(result.callId) ? OWN : callers.get(result.callId)));
    const isLast = ordinal === outline.rows.length - 1;
    const request = row.request?.turn.msg;
    let items: readonly number[] | undefined;
    let flags: ReadonlyMap<number, number> = new Map();
    const late: number[] = [];
    if (recipe.messages === undefined) {
      const additions = { answers, ...(request === undefined ? {} : { request }) };
      const planned = planMessages(
        history,
        additions,
        (ref) => entries[ref]?.shape ?? { inLoop: false, isResult: false },
      );
      answers.forEach((answer, index) => {
        if (answer === OWN) late.push(toolItem(index));
      });
      // Behind the last response no row follows that could hold its results: they stand in its own, behind a copy of it.
      if (isLast && late.length > 0) planned.push(OWN, ...late.splice(0));
      items = planned;
    } else if (recipe.messages !== null) {
      ({ items, flags } = recipe.messages);
      const { tools, users, outputs } = countNew(items);
      if (tools !== results.length || users > (request === undefined ? 0 : 1)) return undefined;
      // Without a response, the output is one of the messages: a new one, or one of the context.
      if (outputs > (recipe.withoutResponse === true ? 1 : 0)) return undefined;
      if (recipe.withoutResponse === true && outputs === 0 && (ordinal > 0 || items.includes(OWN)))
        return undefined;
    } else if (results.length > 0 || recipe.withoutResponse === true) return undefined;
    const formOf = (pointer: string): MessageForm => {
      const positions = recipe.calls?.get(pointer);
      return {
        withoutContent: recipe.withoutContent?.has(pointer) === true,
        ...(positions === undefined ? {} : { positions }),
      };
    };
    const fault = (inside: string) => (pointer: string) =>
      faults.push([
        misplacedSeverity(story),
        'openai-msg/residual-collision',
        `/unknown_fields/sources/${SOURCE}`,
        `the residual at ${inside}${pointer} of row ${ordinal} has no place there: what should hold it is missing or no container`,
      ]);
    const messages: number[] = [];
    const first = new Set<number>();
    let output = -1;
    for (const [position, item] of (items ?? []).entries()) {
      const pointer = `/messages/${position}`;
      const extras = own?.messages.get(position);
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
    if (recipe.withoutResponse !== true) {
      response = withResiduals(
        turnMessage(turn, calls, formOf('/response')),
        own?.response,
        fault('/response'),
      );
      output = add(response);
    }
    for (const [position, item] of messages.entries()) if (item === OWN) messages[position] = output;
    if (recipe.messages !== undefined && recipe.messages !== null && !asksFor(request, messages, entries))
      return undefined;
    if (output !== -1) for (const call of calls) callers.set(call.tcid, output);
    history = [...messages];
    if (response !== undefined) history.push(output);
    for (const item of late)
      history.push(add(resultMessage(results[toolIndex(item)] ?? { callId: '', content: null }, plainForm)));
    rows.push({
      outline: row,
      step,
      flags,
      first,
      ...(layout?.index === undefined ? {} : { place: layout.index[ordinal] as number }),
      ...(items === undefined || (items.length === 0 && recipe.messages === undefined) ? {} : { messages }),
      ...(response === undefined ? {} : { response }),
      ...(own === undefined ? {} : { residuals: own }),
    });
  }
  for (const fault of faults) report(...fault);
  return { outline, entries, rows, fromRows, stepsKept: kept };
}

const plainForm: MessageForm = { withoutContent: false };

/** Whether the last user message of a row is its request, so that reading gives the same turns. */
function asksFor(request: Json | undefined, messages: readonly number[], entries: readonly Entry[]): boolean {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const asked = entries[messages[index] as number]?.shape.asked;
    if (asked !== undefined) return request !== undefined && equalJson(asked, request);
  }
  return request === undefined;
}

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
