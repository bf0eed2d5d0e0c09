import type { Report } from '../issue.ts';
import { integerFromBigInt } from '../json/number.ts';
import { parseJson } from '../json/parse.ts';
import { getOwn, isJsonObject, type Json, type JsonObject, type MutableJsonObject } from '../json/value.ts';
import { readStoryline } from '../storyline/read.ts';
import { STORYLINE_VERSION, type Storyline } from '../storyline.ts';
import type { Cell, TableName } from './column.ts';
import type { RunRow, StepRow, ToolCallRow } from './columns.ts';

/**
 * Builds a Storyline from its rows, the exact inverse of {@link toRows}. Steps and calls may come in any order. `undefined` after
 * an error: `storyline/bad-row` for rows that do not make a Storyline (text that is no JSON, ordinals with gaps, rows of another document),
 * or any issue of {@link readStoryline}. Nothing is ever repaired.
 */
export function fromRows(
  run: RunRow,
  steps: Iterable<StepRow>,
  toolCalls: Iterable<ToolCallRow>,
  report: Report,
): Storyline | undefined {
  let failed = false;
  const fail = (pointer: string, message: string): void => {
    failed = true;
    report('error', 'storyline/bad-row', pointer, message);
  };
  const belongs = (table: TableName, row: StepRow | ToolCallRow): boolean => {
    if (row.document_key === run.document_key && row.ingest_id === run.ingest_id) return true;
    fail(
      '',
      `a row of ${table} is of the document ${row.document_key}, ingest ${row.ingest_id}; ${run.document_key}, ingest ${run.ingest_id} is expected`,
    );
    return false;
  };
  const within = (column: string, position: bigint, count: bigint): boolean => {
    if (position >= 0n && position < count) return true;
    fail('', `${column} ${position} lies outside of the ${count} that the row of runs counts`);
    return false;
  };

  const turns: MutableJsonObject[] = [];
  // Values only, no rows: a long story's rows may be let go of as they are read.
  const hadToolCalls: boolean[] = [];
  for (const row of steps) {
    if (!belongs('steps', row) || !within('turn_ordinal', row.turn_ordinal, run.step_count)) continue;
    const ordinal = Number(row.turn_ordinal);
    if (turns[ordinal] !== undefined)
      fail(`/turns/${ordinal}`, `two rows of steps have the turn_ordinal ${ordinal}`);
    hadToolCalls[ordinal] = row.had_tool_calls;
    turns[ordinal] = turnOf(row, reader('steps', row, `/turns/${ordinal}`, fail));
  }
  const calls = new Map<number, (JsonObject | undefined)[]>();
  for (const row of toolCalls) {
    if (
      !belongs('tool_calls', row) ||
      !within('turn_ordinal', row.turn_ordinal, run.step_count) ||
      !within('call_index', row.call_index, run.tool_call_count)
    ) {
      continue;
    }
    const ordinal = Number(row.turn_ordinal);
    const index = Number(row.call_index);
    const ofTurn = calls.get(ordinal) ?? [];
    calls.set(ordinal, ofTurn);
    if (ofTurn[index] !== undefined)
      fail(
        `/turns/${ordinal}/tool_calls/${index}`,
        `two rows of tool_calls have the call_index ${index} of one turn`,
      );
    const pointer = `/turns/${ordinal}/tool_calls/${index}`;
    ofTurn[index] = callOf(row, reader('tool_calls', row, pointer, fail));
  }
  if (run.step_count !== BigInt(turns.length))
    fail('/turns', `${turns.length} turns are there; step_count says ${run.step_count}`);
  for (let ordinal = 0; ordinal < turns.length && !failed; ordinal += 1) {
    const turn = turns[ordinal];
    if (turn === undefined) {
      fail(`/turns/${ordinal}`, `no row of steps has the turn_ordinal ${ordinal}, but there are later ones`);
      continue;
    }
    const ofTurn = calls.get(ordinal);
    calls.delete(ordinal);
    if (hadToolCalls[ordinal] !== true) {
      if (ofTurn !== undefined)
        fail(`/turns/${ordinal}`, 'there are rows of tool_calls for a turn whose had_tool_calls is false');
      continue;
    }
    turn.tool_calls = Array.from(ofTurn ?? [], (call, index) => {
      if (call !== undefined) return call;
      fail(
        `/turns/${ordinal}/tool_calls/${index}`,
        `no row of tool_calls has the call_index ${index} of this turn, but there are later ones`,
      );
      return null;
    });
  }
  if (!failed) {
    for (const ordinal of calls.keys())
      fail(
        `/turns/${ordinal}`,
        `there are rows of tool_calls for the turn_ordinal ${ordinal}, which has no row of steps`,
      );
  }
  const head = headOf(run, reader('runs', run, '', fail));
  return failed ? undefined : readStoryline({ ...head, turns }, report);
}

/** Reads the cells of one row; each gives `undefined` for null. */
interface CellReader {
  text(column: string): string | undefined;
  integer(column: string): Json | undefined;
  boolean(column: string): boolean | undefined;
  json(column: string): Json | undefined;
}

function reader(
  table: TableName,
  row: RunRow | StepRow | ToolCallRow,
  pointer: string,
  fail: (pointer: string, message: string) => void,
): CellReader {
  const parse = (column: string, text: string): Json | undefined => {
    const value = parseCell(text);
    if (value === undefined) fail(pointer, `the column ${column} of ${table} holds no JSON text`);
    return value;
  };
  let exact: JsonObject = {};
  if (row.exact_json !== null) {
    const parsed = parse('exact_json', row.exact_json);
    if (isJsonObject(parsed)) exact = parsed;
  }
  const cellOf = (column: string): Cell | undefined =>
    (row as { readonly [column: string]: Cell | undefined })[column];
  const exactOf = (column: string): Json | undefined => {
    const text = getOwn(exact, column);
    return typeof text === 'string' ? parse('exact_json', text) : undefined;
  };
  return {
    text(column) {
      const cell = cellOf(column);
      if (typeof cell !== 'string') return undefined;
      const value = exactOf(column);
      return typeof value === 'string' ? value : cell;
    },
    integer(column) {
      const cell = cellOf(column);
      return typeof cell === 'bigint' ? (exactOf(column) ?? integerFromBigInt(cell)) : undefined;
    },
    boolean(column) {
      const cell = cellOf(column);
      return typeof cell === 'boolean' ? cell : undefined;
    },
    json(column) {
      const cell = cellOf(column);
      return typeof cell === 'string' ? (exactOf(column) ?? parse(column, cell)) : undefined;
    },
  };
}

// Limits were the importer's business; what is in the store is to come back.
const NO_LIMITS = { depth: Infinity, stringBytes: Infinity, recordBytes: Infinity };

/**
 * What may be a number that JSON.parse changes: 16 digits and more (15 are exact), a float without a fraction, an exponent. What looks
 * like one inside of a string only costs time.
 */
const UNSAFE_NUMBER = /[\d.]{16}|\.0+(?!\d)|\d[eE]/;
/** Characters up to which V8 parses a text in one piece fast. */
const PLAIN_CHARACTERS = 32 * 1024;

/** The value of a JSON text cell, floatness and non-finite numbers kept; `undefined` when it is no JSON. */
function parseCell(text: string): Json | undefined {
  // A text needs no exact parser.
  if (text.startsWith('"')) {
    try {
      return JSON.parse(text) as string;
    } catch {
      return undefined;
    }
  }
  if (text.length <= PLAIN_CHARACTERS && !UNSAFE_NUMBER.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // Numbers that are none in JSON, or no JSON at all.
    }
  }
  return parseJson(text, { keepFloats: true, nonFinite: 'keep', limits: NO_LIMITS }).value;
}

function headOf(row: RunRow, cells: CellReader): JsonObject {
  return present({
    schema_version: row.schema_version === STORYLINE_VERSION ? STORYLINE_VERSION : row.schema_version,
    session: cells.text('session_id'),
    agent: present({
      id: cells.text('agent_id'),
      name: cells.text('agent_name'),
      ver: cells.text('agent_version'),
      model: cells.text('agent_model_name'),
      tools: cells.json('agent_tool_definitions_json'),
      extra: cells.json('agent_extra_json'),
    }),
    origin: cells.json('origin_json'),
    run: cells.text('run_id'),
    trajectory: row.trajectory_id_explicit ? cells.text('document_id') : undefined,
    attempt_id: cells.text('attempt_id'),
    parent: cells.json('parent_json'),
    children: cells.json('child_session_ids_json'),
    notes: cells.text('notes'),
    task: cells.json('task_json'),
    prompt: cells.json('prompt_json'),
    started_at: cells.json('started_at_json'),
    finished_at: cells.json('finished_at_json'),
    final_metrics: cells.json('final_metrics_json'),
    continued_trajectory_ref: cells.text('continued_trajectory_ref'),
    extra: cells.json('extra_json'),
    meta: cells.json('meta_json'),
    unknown_fields: cells.json('unknown_fields_json'),
    unknown_key_counts: cells.json('unknown_key_counts_json'),
  });
}

function turnOf(row: StepRow, cells: CellReader): MutableJsonObject {
  return present({
    id: cells.integer('step_id'),
    src: cells.text('source'),
    msg: cells.json('message_json'),
    kind: cells.text('kind'),
    ts: cells.json('timestamp_source_json'),
    finished_at: cells.json('finished_at_json'),
    reason: cells.text('reasoning_content'),
    effort: cells.json('reasoning_effort_json'),
    observation: cells.json('observation_json'),
    metrics: cells.json('metrics_json'),
    extra: cells.json('extra_json'),
    model: cells.text('model_name'),
    nllm: cells.integer('llm_call_count'),
    latency_ms: cells.integer('latency_ms'),
    ttft_ms: cells.integer('ttft_ms'),
    copied: row.is_copied_context ?? undefined,
    env: cells.json('env_json'),
    prompt: cells.json('prompt_json'),
  });
}

function callOf(_row: ToolCallRow, cells: CellReader): JsonObject {
  return present({
    tcid: cells.text('tool_call_id'),
    fn: cells.text('function_name'),
    args: cells.json('arguments_json'),
    result: cells.json('result_json'),
    duration_ms: cells.integer('duration_ms'),
    extra: cells.json('extra_json'),
    kind: cells.text('kind'),
    response: cells.json('response_json'),
  });
}

function present(object: { readonly [key: string]: Json | undefined }): MutableJsonObject {
  const result: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
