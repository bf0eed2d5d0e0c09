import {
  type Issue,
  IssueError,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { ENVIRONMENT_KEYS } from '../artifact/migrate-recording-v0.ts';
import type { StepRow } from '../mapping/database-run.ts';
import type { Cell, Database } from './engine.ts';
import { exactCells, isFaithful, OCTETS, octetsOf, plainCell, quoteName } from './exact-row.ts';
import type { Tables } from './tables.ts';

/** One run of a database. */
export interface RunRow {
  /** 0-based position in the database. */
  readonly ordinal: number;
  /** The artifact that the row is, without events; of the version that the row names. */
  readonly head: JsonObject;
  /** Columns that the row (or the table) lacks and that got Forkline's default. */
  readonly defaulted: readonly string[];
  /** True where events name a run that has no row. */
  readonly orphaned: boolean;
  /** What selects the run's events: the row id of the run, or of one of its events when it is orphaned. */
  readonly rowid: Cell;
  /** Cells that could not be read; the run is rejected with them. */
  readonly issues: readonly Issue[];
}

/** What Forkline assumes of rows written before it stamped versions. */
const DEFAULTS: readonly (readonly [column: string, value: string])[] = [
  ['schema_version', 'recording_v0'],
  ['forkline_version', '0.1.0'],
];

/** The runs of a database in the order of their rows, then the events without a run, one run for each id. */
export function* runRows(database: Database, tables: Tables, source: string): Generator<RunRow> {
  let ordinal = 0;
  for (const { id = null } of [...database.iterate('SELECT rowid AS id FROM runs ORDER BY rowid')]) {
    yield readRun(database, tables, source, id, ordinal);
    ordinal += 1;
  }
  // Jumps from one run id to the next in the index, instead of walking over all events.
  const orphans = `WITH RECURSIVE ids(id) AS (
      SELECT min(run_id) FROM events
      UNION ALL SELECT (SELECT min(run_id) FROM events WHERE run_id > ids.id) FROM ids WHERE ids.id IS NOT NULL)
    SELECT (SELECT min(rowid) FROM events WHERE run_id = ids.id) AS id FROM ids
    WHERE ids.id IS NOT NULL AND ids.id NOT IN (SELECT run_id FROM runs) ORDER BY 1`;
  for (const { id = null } of [...database.iterate(orphans)]) {
    const [runId] = exactCells(database, 'events', ['run_id'], id, tables.encoding);
    const value = runId !== undefined && 'value' in runId ? runId.value : null;
    const head = { schema_version: '1.0', run_id: value };
    yield { ordinal, head, defaulted: [], orphaned: true, rowid: id, issues: [] };
    ordinal += 1;
  }
}

function readRun(database: Database, tables: Tables, source: string, rowid: Cell, ordinal: number): RunRow {
  const cells = exactCells(database, 'runs', tables.runColumns, rowid, tables.encoding);
  const head: MutableJsonObject = {};
  const metadata: MutableJsonObject = {};
  const issues: Issue[] = [];
  for (const [index, column] of tables.runColumns.entries()) {
    const cell = cells[index];
    if (cell === undefined) continue;
    if ('fault' in cell) {
      const message = `the column ${column} of this run cannot be used: ${cell.fault}`;
      const at = { source, record: ordinal + 1, pointer: `/${column}` };
      issues.push({ code: 'forkline/bad-cell', severity: 'error', message, at });
    } else if (cell.value !== null) {
      if (tables.model === 'recorder' && (ENVIRONMENT_KEYS as readonly string[]).includes(column)) {
        metadata[column] = cell.value;
      } else if (column === 'events' || column === 'metadata') {
        const message = `the column ${column} of this run has the name of an artifact's own field and is left out`;
        const at = { source, record: ordinal + 1, pointer: `/${column}` };
        issues.push({ code: 'forkline/unknown-column', severity: 'loss', message, at });
      } else
        setOwn(
          head,
          tables.model === 'tracer' && column === 'created_at' ? 'started_at' : column,
          cell.value,
        );
    }
  }
  const defaulted: string[] = [];
  for (const [column, value] of DEFAULTS) {
    if (Object.hasOwn(head, column)) continue;
    head[column] = value;
    defaulted.push(column);
  }
  if (tables.model === 'tracer' && !Object.hasOwn(head, 'entrypoint')) head.entrypoint = '';
  if (Object.keys(metadata).length > 0) head.metadata = metadata;
  return { ordinal, head, defaulted, orphaned: false, rowid, issues };
}

const STEP_COLUMNS = ['step_id', 'idx', 'name', 'started_at', 'ended_at'] as const;
const STEP_TEXTS = ['name', 'started_at', 'ended_at'] as const;

/** The steps of a run in the order in which Forkline loads them; none for the recorder. */
export function stepRows(database: Database, tables: Tables, run: RunRow): readonly StepRow[] {
  if (tables.model !== 'tracer' || tables.stepColumns.length === 0 || run.orphaned) return [];
  const columns = STEP_COLUMNS.filter((column) => tables.stepColumns.includes(column));
  const texts = STEP_TEXTS.filter((column) => tables.stepColumns.includes(column));
  const octets = octetsOf(texts, tables.hasOctetLength);
  const sql = `SELECT rowid AS pchronicle_id, ${columns.join(', ')}, ${octets} AS ${OCTETS} FROM steps WHERE run_id = (SELECT run_id FROM runs WHERE rowid = ?) ORDER BY idx, rowid`;
  return [...database.iterate(sql, [run.rowid])].map((cells) => {
    const row: { [column: string]: Json } = {
      step_id: null,
      idx: null,
      name: null,
      started_at: null,
      ended_at: null,
    };
    if (isFaithful(cells, texts)) {
      for (const column of columns) row[column] = plainCell(cells[column] ?? null);
    } else {
      const exact = exactCells(database, 'steps', columns, cells.pchronicle_id ?? null, tables.encoding);
      for (const [index, column] of columns.entries()) {
        const cell = exact[index];
        if (cell !== undefined && 'value' in cell) row[column] = cell.value;
        else if (cell !== undefined) throw new IssueError([badStep(run, column, cell.fault)]);
      }
    }
    return row as unknown as StepRow;
  });
}

function badStep(run: RunRow, column: string, fault: string): Issue {
  const message = `the column ${quoteName(column)} of a step of this run cannot be used: ${fault}`;
  return {
    code: 'forkline/bad-cell',
    severity: 'error',
    message,
    at: { record: run.ordinal + 1, pointer: '' },
  };
}
