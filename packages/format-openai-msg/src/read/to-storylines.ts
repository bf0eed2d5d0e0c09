import {
  appendPointer,
  countUnknownKeys,
  defined,
  integerFromBigInt,
  type Json,
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
  wholeMilliseconds,
} from '@pchronicle/storyline-core';
import { type Layout, writeLayout } from '../history/layout.ts';
import { LAYOUT_SOURCE, ROWS_MEMBER, SOURCE } from '../keys.ts';
import { isEmptyForm, unlessEmpty } from '../values.ts';
import { modelOf, readIdentity } from './identity.ts';
import type { RowPart, SessionPart } from './part.ts';
import { rowLeftovers } from './row-leftovers.ts';
import { readMetrics, readSessionEnv, readTurnEnv } from './row-values.ts';
import { sessionCalls } from './session-calls.ts';

/** Builds the Storyline of one session (RFC-0009, mapping). */
export function* toStorylines(part: SessionPart, report: Report): Generator<Storyline> {
  const { frame, session, context, rows } = part;
  const identity = readIdentity(rows, report);
  const env = readSessionEnv(rows);
  const fields: MutableJsonObject = {};
  for (const key of Object.keys(frame.root)) setOwn(fields, appendPointer('', key), frame.root[key] as Json);
  let hasRowFields = false;
  const leave = (row: RowPart, pointer: string, value: Json): void => {
    hasRowFields = true;
    setOwn(fields, `/${ROWS_MEMBER}/${row.index}${pointer}`, value);
  };
  const calls = sessionCalls(part, leave, report);
  const turns: Turn[] = [];
  for (const [index, { view, ref, pointer }] of context.entries()) {
    const id = index + 1;
    const own = calls.ofMessage(view, ref, id, rows[0] as RowPart, pointer);
    const src = view.role === 'assistant' ? 'agent' : view.role;
    turns.push({ id, src, ...kindOf(src, own), copied: true, msg: view.content });
  }
  let finalMetrics: JsonObject | undefined;
  for (const row of rows) {
    const { output, request, ts } = row;
    const exact = BigInt(context.length) + 2n * toBigInt(row.step);
    const id = integerFromBigInt(exact);
    const own = calls.ofOutput(row, id);
    for (const [pointer, value] of row.leftovers) leave(row, pointer, value);
    for (const [pointer, value] of rowLeftovers(row, session, identity)) leave(row, pointer, value);
    const results = row.results.map((result): Json => {
      const { callId, content, pointer } = result;
      const source_call_id = calls.answered(result);
      if (source_call_id !== callId) leave(row, `${pointer}/tool_call_id`, callId);
      return { source_call_id, content };
    });
    if (request !== undefined) {
      const asked = integerFromBigInt(exact - 1n);
      turns.push(defined<Turn>({ id: asked, src: 'user', ...kindOf('user', []), msg: request.content, ts }));
    }
    const metrics = readMetrics(row);
    finalMetrics = metrics;
    turns.push(
      defined<Turn>({
        id,
        src: 'agent',
        ...kindOf('agent', own),
        msg: output.content,
        nllm: 1,
        ts,
        reason: output.reason,
        model: modelOf(row.row),
        latency_ms: wholeMilliseconds(metrics?.total_latency_ms),
        ttft_ms: wholeMilliseconds(metrics?.ttft_ms),
        observation: results.length > 0 ? { results } : undefined,
        metrics,
        env: readTurnEnv(row, env),
      }),
    );
  }
  const source_document_id = frame.source;
  // A session that leaves all history out gets it back (O10): that is the plain rebuild, and no recipe is kept for it.
  const leftOut = rows.length > 1 && rows.slice(1).every((row) => row.isAlone);
  if (leftOut) {
    const message = 'the rows after the first leave the history out';
    report('info', 'openai-msg/history-left-out', `${rows[1]?.pointer}/messages`, message);
  }
  const layout = layoutOf(rows, hasRowFields, leftOut);
  const sources = defined<{ [source: string]: ResidualSource }>({
    [SOURCE]: unlessEmpty(fields) && { source_document_id, fields },
    [LAYOUT_SOURCE]: layout && { source_document_id, fields: { [`/${ROWS_MEMBER}`]: layout } },
  });
  const unknown = unlessEmpty(sources) && { sources };
  yield defined<Storyline>({
    schema_version: STORYLINE_VERSION,
    session,
    agent: defined({ id: identity.agent, name: identity.agent, model: identity.model }),
    origin: defined({
      format: SOURCE,
      document_id: source_document_id === '' ? undefined : source_document_id,
    }),
    run: identity.run,
    task: env.task && { env: env.task },
    final_metrics: finalMetrics,
    turns,
    unknown_fields: unknown,
    unknown_key_counts: unknown && countUnknownKeys(unknown),
  });
}

/** The kind of a turn, by who says it and whether it calls; and the calls. */
function kindOf(src: string, calls: readonly ToolCall[]): Pick<Turn, 'kind' | 'tool_calls'> {
  if (calls.length > 0) return { kind: 'autonomous', tool_calls: calls };
  return { kind: src === 'agent' ? 'llm.response' : src === 'user' ? 'llm.request' : 'context' };
}

/** What the way back needs (decision O2): the places of the rows when they are not the plain ones or residuals point to them, and the recipes. */
function layoutOf(rows: readonly RowPart[], hasResiduals: boolean, leftOut: boolean): JsonObject | undefined {
  const start = rows[0]?.index ?? 0;
  const plain = rows.every((row, ordinal) => row.index === start + ordinal);
  const recipes = new Map<number, JsonObject>();
  for (const [ordinal, { recipe = {} }] of rows.entries()) {
    const { messages: _, ...rest } = recipe;
    const kept = leftOut && ordinal > 0 ? rest : recipe;
    if (!isEmptyForm(kept)) recipes.set(ordinal, kept as JsonObject);
  }
  const index = plain && !(hasResiduals && start > 0) ? undefined : rows.map((row) => row.index);
  return writeLayout(defined<Layout>({ rows: rows.length, recipes, index }));
}
