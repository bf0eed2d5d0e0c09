import {
  appendPointer,
  countUnknownKeys,
  integerFromBigInt,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  type ResidualSource,
  STORYLINE_VERSION,
  type Storyline,
  setOwn,
  type ToolCall,
  type Turn,
  toBigInt,
} from '@pchronicle/storyline-core';
import { writeLayout } from '../history/layout.ts';
import { writeRecipe } from '../history/recipe.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { embeddedCalls } from '../message/embedded-calls.ts';
import type { MessageView } from '../message/view.ts';
import { type CallIds, callIds, toolCalls } from './call-ids.ts';
import { readSessionEnv, readTurnEnv } from './env.ts';
import { modelOf, readIdentity } from './identity.ts';
import { readMetrics, wholeMilliseconds } from './metrics.ts';
import type { ContextPart, RowPart, SessionPart } from './part.ts';
import { rowLeftovers } from './row-leftovers.ts';

/** Builds the Storyline of one session (RFC-0009, mapping). */
export function* toStorylines(part: SessionPart, report: Report): Generator<Storyline> {
  const { frame, session, rows } = part;
  const identity = readIdentity(rows, report);
  const env = readSessionEnv(rows);
  const fields: MutableJsonObject = {};
  for (const key of Object.keys(frame.root)) setOwn(fields, appendPointer('', key), frame.root[key] as Json);
  const ids = callIds(reservedIds(part));
  /** Message → the ids of its calls. */
  const given = new Map<number, readonly string[]>();
  const leave = (row: RowPart, pointer: string, value: Json): void =>
    setOwn(fields, `/${ROWS_MEMBER}/${row.index}${pointer}`, value);
  const take = (
    view: MessageView,
    ref: number,
    turn: JsonInteger,
    row: RowPart,
    pointer: string,
  ): readonly string[] => {
    const taken = view.calls.map((call, index) => {
      const id = ids.take(call.id, turn);
      if (id === call.id) return id;
      const position = view.positions?.[index] ?? index;
      const inside = `${pointer}/tool_calls/${position}/id`;
      leave(row, inside, call.id);
      report(
        'info',
        'openai-msg/reused-call-id',
        row.pointer + inside,
        `the call id ${JSON.stringify(call.id)} is that of an earlier call of the session; this one is called ${JSON.stringify(id)}`,
      );
      return id;
    });
    // An output that is a context message too is known by the calls of its context turn.
    if (!given.has(ref)) given.set(ref, taken);
    return taken;
  };

  const turns: Turn[] = [];
  const [first] = rows;
  for (const [index, context] of part.context.entries()) {
    if (first === undefined) break;
    const { view, ref, pointer } = context;
    turns.push(contextTurn(context, index + 1, toolCalls(view, take(view, ref, index + 1, first, pointer))));
  }
  const contexts = BigInt(part.context.length);
  let finalMetrics: JsonObject | undefined;
  for (const row of rows) {
    const id = integerFromBigInt(contexts + 2n * toBigInt(row.step));
    const taken = take(row.output, row.outputRef, id, row, row.outputPointer);
    for (const [pointer, value] of row.leftovers) leave(row, pointer, value);
    for (const [pointer, value] of rowLeftovers(row, session, identity)) leave(row, pointer, value);
    const results: Json[] = row.results.map((result) => {
      const { answer, callId } = result;
      const target =
        answer === undefined
          ? undefined
          : 'own' in answer
            ? taken[answer.own]
            : given.get(answer.ref)?.[answer.call];
      const reference = target ?? callId;
      if (reference !== callId) leave(row, `${result.pointer}/tool_call_id`, callId);
      return { source_call_id: reference, content: result.content };
    });
    if (row.request !== undefined) turns.push(requestTurn(row, integerFromBigInt(toBigInt(id) - 1n)));
    const metrics = readMetrics(row);
    finalMetrics = metrics;
    const calls = row.output.calls.length > 0 ? toolCalls(row.output, taken) : takeEmbedded(row, ids, id);
    const turnEnv = readTurnEnv(row, env);
    turns.push(
      responseTurn(row, id, calls, {
        ...(results.length > 0 ? { observation: { results } } : {}),
        ...(metrics === undefined ? {} : { metrics }),
        ...(turnEnv === undefined ? {} : { env: turnEnv }),
      }),
    );
  }
  const layout = layoutOf(part, hasRowFields(fields));
  const sources: { [source: string]: ResidualSource } = {};
  const documentId = frame.source;
  if (Object.keys(fields).length > 0) sources[SOURCE] = { source_document_id: documentId, fields };
  if (layout !== undefined)
    sources[LAYOUT_SOURCE] = { source_document_id: documentId, fields: { [`/${ROWS_MEMBER}`]: layout } };
  const unknown = Object.keys(sources).length > 0 ? { sources } : undefined;
  yield {
    schema_version: STORYLINE_VERSION,
    session,
    agent: {
      id: identity.agent,
      name: identity.agent,
      ...(identity.model === undefined ? {} : { model: identity.model }),
    },
    origin: { format: SOURCE, ...(documentId === '' ? {} : { document_id: documentId }) },
    ...(identity.run === undefined ? {} : { run: identity.run }),
    ...(env.task === undefined ? {} : { task: { env: env.task } }),
    ...(finalMetrics === undefined ? {} : { final_metrics: finalMetrics }),
    turns,
    ...(unknown === undefined
      ? {}
      : { unknown_fields: unknown, unknown_key_counts: countUnknownKeys(unknown) }),
  };
}

/** Every call id that the source has, of calls and of references to them: no id that is made up may take one (decision G11). */
function reservedIds(part: SessionPart): ReadonlySet<string> {
  const reserved = new Set<string>();
  for (const { view } of part.context) for (const call of view.calls) reserved.add(call.id);
  for (const row of part.rows) {
    for (const call of row.output.calls) reserved.add(call.id);
    for (const result of row.results) reserved.add(result.callId);
  }
  return reserved;
}

function takeEmbedded(row: RowPart, ids: CallIds, turn: JsonInteger): readonly ToolCall[] {
  return embeddedCalls(row.output.content, row.step).map((call) => ({
    ...call,
    tcid: ids.takeMade(call.tcid, turn),
  }));
}

function contextTurn({ view }: ContextPart, id: JsonInteger, calls: readonly ToolCall[]): Turn {
  const src = view.role === 'assistant' ? 'agent' : view.role;
  const kind = src === 'agent' ? 'llm.response' : src === 'user' ? 'llm.request' : 'context';
  return {
    id,
    src,
    kind: calls.length > 0 ? 'autonomous' : kind,
    copied: true,
    msg: view.content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function requestTurn(row: RowPart, id: JsonInteger): Turn {
  return {
    id,
    src: 'user',
    kind: 'llm.request',
    msg: row.request?.content ?? null,
    ...(row.ts === undefined ? {} : { ts: row.ts }),
  };
}

function responseTurn(
  row: RowPart,
  id: JsonInteger,
  calls: readonly ToolCall[],
  rest: Pick<Turn, 'observation' | 'metrics' | 'env'>,
): Turn {
  const metrics = rest.metrics as JsonObject | undefined;
  const latency = wholeMilliseconds(metrics?.total_latency_ms);
  const firstToken = wholeMilliseconds(metrics?.ttft_ms);
  const model = modelOf(row.row);
  return {
    id,
    src: 'agent',
    kind: calls.length > 0 ? 'autonomous' : 'llm.response',
    msg: row.output.content,
    nllm: 1,
    ...(row.ts === undefined ? {} : { ts: row.ts }),
    ...(row.output.reason === undefined ? {} : { reason: row.output.reason }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(model === undefined ? {} : { model }),
    ...(latency === undefined ? {} : { latency_ms: latency }),
    ...(firstToken === undefined ? {} : { ttft_ms: firstToken }),
    ...rest,
  };
}

function hasRowFields(fields: JsonObject): boolean {
  return Object.keys(fields).some((pointer) => pointer.startsWith(`/${ROWS_MEMBER}/`));
}

/** What the way back needs (decision O2): the places of the rows when they are not the plain ones or residuals point to them, and the recipes. */
function layoutOf(part: SessionPart, hasResiduals: boolean): JsonObject | undefined {
  const { rows } = part;
  const start = rows[0]?.index ?? 0;
  const plain = rows.every((row, ordinal) => row.index === start + ordinal);
  const index = plain && !(hasResiduals && start > 0) ? undefined : rows.map((row) => row.index);
  // A session that leaves all history out gets it back (O10): that is the plain rebuild, and no recipe is kept for it.
  const leftOut = rows.length > 1 && rows.slice(1).every((row) => row.isAlone);
  const recipes = new Map<number, JsonObject>();
  for (const [ordinal, row] of rows.entries()) {
    if (row.recipe === undefined) continue;
    const { messages: _, ...rest } = row.recipe;
    const recipe = leftOut && ordinal > 0 ? rest : row.recipe;
    if (Object.keys(recipe).length > 0) recipes.set(ordinal, writeRecipe(recipe, row.known));
  }
  return writeLayout({ rows: rows.length, recipes, ...(index === undefined ? {} : { index }) });
}
