import type { Place } from '@pchronicle/storyline-core';
import type { EventDiff } from '../diff/event-diff.ts';
import type { StepEvent } from '../diff/steps.ts';
import { pythonEqual } from '../python/equal.ts';
import { guarded } from './damage.ts';
import type { Cell, Database } from './engine.ts';
import { eventJson } from './event-json.ts';
import { type EventRow, eventRows, ownerOf } from './read-events.ts';
import type { RunRow } from './read-runs.ts';
import type { Tables } from './tables.ts';

/** A run, and the database that it lies in. */
export interface Side {
  readonly database: Database;
  readonly tables: Tables;
  readonly run: RunRow;
  readonly at: Place;
}

/** Where a comparison stands: events of both runs before these row ids are equal. */
interface Progress {
  readonly index: number;
  readonly fromA: bigint;
  readonly fromB: bigint;
}

/** Events that are compared at once, as long as they are equal. */
const BLOCK = 128;
const FIRST = -(2n ** 63n);

/**
 * Compares two runs, of one database or of two, event by event, as `forkline diff` does. Equal stretches are compared as blocks of bytes that SQLite
 * puts together, equal payload texts are not parsed, and what comes after the first difference is only counted. With the equality `text`
 * a payload of another spelling differs, `1` from `1.0` among it.
 */
export function diffEvents(
  sideA: Side,
  sideB: Side,
  equality: 'python-eq' | 'text' = 'python-eq',
): EventDiff {
  const { at } = sideA;
  const inBlocks = sideA.tables.model === 'recorder' && sideB.tables.model === 'recorder';
  const start = inBlocks
    ? guarded(at, 'the events of these runs', () => skipEqual(sideA, sideB))
    : { index: 0, fromA: FIRST, fromB: FIRST };
  let { index } = start;
  const rowsA = rowsFrom(sideA, start.fromA, index);
  const rowsB = rowsFrom(sideB, start.fromB, index);
  let found: { readonly old: EventRow; readonly new: EventRow } | undefined;
  let ended = [false, false];
  try {
    for (;;) {
      const a = rowsA.next();
      const b = rowsB.next();
      ended = [a.done === true, b.done === true];
      if (a.done === true || b.done === true) break;
      if (!sameEvent(a.value, sideA.at, b.value, equality === 'text' ? undefined : sideB.at)) {
        found = { old: a.value, new: b.value };
        break;
      }
      index += 1;
    }
  } finally {
    rowsA.return(undefined);
    rowsB.return(undefined);
  }
  if (found === undefined && ended[0] && ended[1]) return { identical: true };
  const totals = { totalA: countEvents(sideA), totalB: countEvents(sideB) };
  if (found === undefined) return { identical: false, index, ...totals };
  const { old, new: now } = found;
  return { identical: false, index, ...totals, old: stepEvent(old, at), new: stepEvent(now, sideB.at) };
}

function rowsFrom({ database, tables, run, at }: Side, rowid: bigint, position: number): Generator<EventRow> {
  return eventRows(database, tables, run, at, { rowid, position });
}

function stepEvent(row: EventRow, at: Place): StepEvent {
  return { type: String(row.type), payload: eventJson(row, at).payload ?? null };
}

/** Without a place for the right side, payloads of different texts differ and nothing is parsed. */
function sameEvent(left: EventRow, atLeft: Place, right: EventRow, atRight: Place | undefined): boolean {
  if (left.type !== right.type) return false;
  if (left.payloadText === right.payloadText) return true;
  if (atRight === undefined) return false;
  return pythonEqual(eventJson(left, atLeft).payload ?? null, eventJson(right, atRight).payload ?? null);
}

/** Passes over blocks whose types and payloads are equal byte for byte. */
function skipEqual(sideA: Side, sideB: Side): Progress {
  let progress: Progress = { index: 0, fromA: FIRST, fromB: FIRST };
  for (;;) {
    const a = readBlock(sideA, progress.fromA);
    const b = readBlock(sideB, progress.fromB);
    if (a === undefined || b === undefined || !equalBlocks(a, b)) return progress;
    progress = { index: progress.index + BLOCK, fromA: a.next, fromB: b.next };
  }
}

/** A block of a run's events: their types and payloads, put together. */
interface Block {
  readonly types: Uint8Array;
  readonly payloads: Uint8Array;
  /** The row id to go on from. */
  readonly next: bigint;
}

function equalBlocks(a: Block, b: Block): boolean {
  return Buffer.compare(a.types, b.types) === 0 && Buffer.compare(a.payloads, b.payloads) === 0;
}

/**
 * The next full block of a run; `undefined` where there is none, or where it holds anything but texts. U+001F between the texts makes
 * them unambiguous: types are looked through for it, and no JSON holds it bare.
 */
function readBlock({ database, run }: Side, from: bigint): Block | undefined {
  const texts = `typeof(type) = 'text' AND typeof(payload) = 'text' AND instr(type, char(31)) = 0`;
  const inner = `SELECT rowid AS id, type, payload FROM events WHERE run_id = ${ownerOf(run)} AND rowid >= ?2 ORDER BY rowid LIMIT ${BLOCK}`;
  const joined = (column: string): string => `CAST(group_concat(${column}, char(31)) AS BLOB) AS ${column}s`;
  const sql = `SELECT sum(${texts}) AS plain, max(id) AS last, ${joined('type')}, ${joined('payload')} FROM (${inner})`;
  const [row] = [...database.iterate(sql, [run.rowid, from])];
  if (row === undefined || Number(row.plain) < BLOCK) return undefined;
  const { types, payloads, last } = row;
  if (!(types instanceof Uint8Array) || !(payloads instanceof Uint8Array)) return undefined;
  return { types, payloads, next: BigInt(last as Exclude<Cell, Uint8Array | null>) + 1n };
}

/** How many events a run has. */
export function countEvents({ database, run }: Side): number {
  const sql = `SELECT count(*) AS events FROM events WHERE run_id = ${ownerOf(run)}`;
  const [row] = [...database.iterate(sql, [run.rowid])];
  return Number(row?.events ?? 0);
}
