import {
  type Issue,
  IssueError,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Place,
  setOwn,
} from '@pchronicle/storyline-core';
import { STEP_KEY } from '../mapping/database-run.ts';
import { guardedRows } from './damage.ts';
import type { Cell, Database, Row } from './engine.ts';
import { exactCells, isFaithful, OCTETS, octetsOf, plainCell, quoteName } from './exact-row.ts';
import type { RunRow } from './read-runs.ts';
import type { Tables } from './tables.ts';

/** One event of a run, its payload still a text. */
export interface EventRow {
  /** Position in the artifact. */
  readonly position: number;
  readonly eventId: Json;
  readonly runId: Json;
  readonly ts: Json;
  readonly type: Json;
  readonly payloadText: string;
  /** Of the tracer: the idx of its step. */
  readonly stepIdx?: Json;
  /** Columns that Forkline does not have. */
  readonly others?: JsonObject;
}

interface Columns {
  readonly ts: string;
  readonly payload: string;
  readonly texts: readonly string[];
  readonly others: readonly string[];
}

function columnsOf(tables: Tables): Columns {
  const ts = tables.model === 'tracer' ? 'created_at' : 'ts';
  const payload = tables.model === 'tracer' ? 'payload_json' : 'payload';
  const texts = ['run_id', ts, 'type', payload];
  const known = [...texts, 'event_id', ...(tables.model === 'tracer' ? [STEP_KEY] : [])];
  return { ts, payload, texts, others: tables.eventColumns.filter((column) => !known.includes(column)) };
}

/** The SQL that gives a run's id, with what selects the run as its first parameter: ids are not passed through the engine, which may cut them. */
export function ownerOf(run: RunRow): string {
  return `(SELECT run_id FROM ${run.orphaned ? 'events' : 'runs'} WHERE rowid = ?1)`;
}

/**
 * The events of a run, one row at a time (for the recorder from a row id on): by event id; for the tracer step by step in the order of their idx, and events whose step is not
 * in the table last. Throws an IssueError where a cell cannot be used or the database is damaged.
 */
export function* eventRows(
  database: Database,
  tables: Tables,
  run: RunRow,
  at: Place,
  from?: { readonly rowid: bigint; readonly position: number },
): Generator<EventRow> {
  const columns = columnsOf(tables);
  const owner = ownerOf(run);
  const selected = [...columns.texts, ...(tables.model === 'tracer' ? [STEP_KEY] : [])]
    .map(quoteName)
    .join(', ');
  const select = `SELECT rowid AS pchronicle_id, ${selected}, ${octetsOf(columns.texts.map(quoteName), tables.hasOctetLength)} AS ${OCTETS} FROM events WHERE run_id = ${owner}`;
  const known = `${STEP_KEY} IN (SELECT idx FROM steps WHERE run_id = ${owner})`;
  const withSteps = tables.model === 'tracer' && tables.stepColumns.length > 0;
  const order = tables.model === 'tracer' ? ` ORDER BY ${STEP_KEY}, rowid` : ' ORDER BY rowid';
  const queries = withSteps
    ? [`${select} AND ${known}${order}`, `${select} AND NOT coalesce(${known}, 0)${order}`]
    : [`${select}${from === undefined ? '' : ' AND rowid >= ?2'}${order}`];
  const parameters = withSteps || from === undefined ? [run.rowid] : [run.rowid, from.rowid];
  let position = withSteps ? 0 : (from?.position ?? 0);
  for (const sql of queries) {
    const rows = guardedRows(at, 'the events of this run', database.iterate(sql, parameters));
    for (const row of rows) {
      const pointer = `${at.pointer}/events/${position}`;
      yield isFaithful(row, columns.texts) && columns.others.length === 0
        ? fastRow(row, columns, position)
        : exactRow(database, tables, columns, row, position, { ...at, pointer });
      position += 1;
    }
  }
}

function fastRow(row: Row, columns: Columns, position: number): EventRow {
  const step = row[STEP_KEY];
  return {
    position,
    eventId: plainCell(row.pchronicle_id ?? null),
    runId: row.run_id as string,
    ts: row[columns.ts] as string,
    type: row.type as string,
    payloadText: row[columns.payload] as string,
    ...(step === undefined ? {} : { stepIdx: plainCell(step) }),
  };
}

function exactRow(
  database: Database,
  tables: Tables,
  columns: Columns,
  row: Row,
  position: number,
  at: Place,
): EventRow {
  const names = [...columns.texts, ...(tables.model === 'tracer' ? [STEP_KEY] : []), ...columns.others];
  const rowid: Cell = row.pchronicle_id ?? null;
  const cells = exactCells(database, 'events', names, rowid, tables.encoding);
  const values = new Map<string, Json>();
  const issues: Issue[] = [];
  const others: MutableJsonObject = {};
  for (const [index, column] of names.entries()) {
    const cell = cells[index];
    if (cell === undefined) continue;
    if ('fault' in cell) {
      issues.push(badCell(column, rowid, cell.fault, { ...at, pointer: `${at.pointer}/${column}` }));
    } else if (columns.others.includes(column)) {
      if (cell.value !== null) setOwn(others, column, cell.value);
    } else values.set(column, cell.value);
  }
  const payload = values.get(columns.payload);
  if (issues.length === 0 && typeof payload !== 'string') {
    issues.push(
      badCell(columns.payload, rowid, 'it is no text', { ...at, pointer: `${at.pointer}/payload` }),
    );
  }
  if (issues.length > 0 || typeof payload !== 'string') throw new IssueError(issues);
  return {
    position,
    eventId: plainCell(rowid),
    runId: values.get('run_id') ?? null,
    ts: values.get(columns.ts) ?? null,
    type: values.get('type') ?? null,
    payloadText: payload,
    ...(tables.model === 'tracer' ? { stepIdx: values.get(STEP_KEY) ?? null } : {}),
    ...(Object.keys(others).length > 0 ? { others } : {}),
  };
}

function badCell(column: string, rowid: Cell, fault: string, at: Place): Issue {
  const message = `the column ${column} of the event with the id ${String(rowid)} cannot be used: ${fault}`;
  return { code: 'forkline/bad-cell', severity: 'error', message, at };
}
