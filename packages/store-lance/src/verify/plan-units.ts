import type { StoredIngest } from '../read/live-entries.ts';
import type { LiveIngests } from './live-ingests.ts';
import type { RowSpans } from './row-spans.ts';

/** Rows of a table, by position in the order of a scan. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A Storyline, with the numbers of rows that are really there. */
export interface CountedIngest extends StoredIngest {
  readonly stepRows: number;
  readonly callRows: number;
  /** Its number among the live ones. */
  readonly number: number;
}

/** Storylines that lie together: what one pass of verifying reads. */
export interface Unit {
  readonly ingests: readonly CountedIngest[];
  readonly steps: Span;
  readonly calls: Span;
}

/** Gives one unit after another. */
export interface UnitPlan {
  /** The next unit, of about so many rows; `undefined` after the last. */
  next(rows: number): Unit | undefined;
  /** Ingests whose rows lie too far apart to be read in one piece; complete after the last unit. */
  readonly scattered: readonly StoredIngest[];
}

/** Rows of others that may lie among those of a unit, and the part of it that they may be besides. */
const SLACK = 1_000;

/**
 * Puts ingests whose rows lie together into units. Rows of one ingest lie together as they are written, and compaction keeps their order;
 * those of an ingest written in slices beside another writer may not.
 */
export function planUnits(ingests: LiveIngests, steps: RowSpans, calls: RowSpans): UnitPlan {
  const order = new Uint32Array(ingests.length);
  let filled = 0;
  for (const number of steps.order) order[filled++] = number;
  for (const number of calls.order) if (steps.first[number] === -1) order[filled++] = number;
  for (let number = 0; number < ingests.length; number += 1)
    if (steps.first[number] === -1 && calls.first[number] === -1) order[filled++] = number;
  const scattered: StoredIngest[] = [];
  let at = 0;
  return {
    scattered,
    next(rows) {
      const found: CountedIngest[] = [];
      let inSteps = NOTHING;
      let inCalls = NOTHING;
      for (; at < order.length && inSteps.rows + inCalls.rows < rows; at += 1) {
        const number = order[at] ?? 0;
        const withSteps = extended(inSteps, steps, number);
        const withCalls = extended(inCalls, calls, number);
        if (withSteps === undefined || withCalls === undefined) {
          if (found.length > 0) break;
          scattered.push(ingests.at(number));
          continue;
        }
        inSteps = withSteps;
        inCalls = withCalls;
        found.push({
          number,
          ...ingests.at(number),
          stepRows: steps.count[number] ?? 0,
          callRows: calls.count[number] ?? 0,
        });
      }
      return found.length === 0 ? undefined : { ingests: found, steps: inSteps, calls: inCalls };
    },
  };
}

/** The halves of a unit of several ingests: what cannot be read together may be readable apart. */
export function halvesOf(unit: Unit, steps: RowSpans, calls: RowSpans): Unit[] {
  const middle = Math.ceil(unit.ingests.length / 2);
  return [unit.ingests.slice(0, middle), unit.ingests.slice(middle)].map((ingests) => ({
    ingests,
    steps: spanOf(ingests, steps),
    calls: spanOf(ingests, calls),
  }));
}

/** Whether a unit's spans hold the rows of its ingests and no others. */
export function liesAlone({ ingests, steps, calls }: Unit): boolean {
  const rows = (of: 'stepRows' | 'callRows'): number => ingests.reduce((sum, ingest) => sum + ingest[of], 0);
  return steps.end - steps.start === rows('stepRows') && calls.end - calls.start === rows('callRows');
}

function spanOf(ingests: readonly CountedIngest[], spans: RowSpans): Span {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const { number } of ingests) {
    if ((spans.first[number] ?? -1) === -1) continue;
    start = Math.min(start, spans.first[number] ?? 0);
    end = Math.max(end, (spans.last[number] ?? 0) + 1);
  }
  return end === 0 ? { start: 0, end: 0 } : { start, end };
}

interface Part extends Span {
  readonly rows: number;
}

const NOTHING: Part = { start: 0, end: 0, rows: 0 };

/** The part with one more ingest; `undefined` when too many other rows would lie in between. */
function extended(part: Part, spans: RowSpans, number: number): Part | undefined {
  const first = spans.first[number] ?? -1;
  if (first === -1) return part;
  const end = (spans.last[number] ?? first) + 1;
  const rows = part.rows + (spans.count[number] ?? 0);
  const longer =
    part.rows === 0
      ? { start: first, end, rows }
      : { start: Math.min(part.start, first), end: Math.max(part.end, end), rows };
  return longer.end - longer.start > 2 * rows + SLACK ? undefined : longer;
}
