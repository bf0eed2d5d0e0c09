import type { Report } from '../issue.ts';
import type { JsonObject, MutableJsonObject } from '../json/value.ts';
import { readStoryline } from '../storyline/read.ts';
import type { Storyline } from '../storyline.ts';
import { cellReader } from './cell-reader.ts';
import type { TableName } from './column.ts';
import type { RunRow, StepRow, ToolCallRow } from './columns.ts';
import { callOf, headOf, turnOf } from './row-values.ts';

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
    turns[ordinal] = turnOf(row, cellReader('steps', row, `/turns/${ordinal}`, fail));
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
    ofTurn[index] = callOf(cellReader('tool_calls', row, pointer, fail));
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
  const head = headOf(run, cellReader('runs', run, '', fail));
  return failed ? undefined : readStoryline({ ...head, turns }, report);
}
