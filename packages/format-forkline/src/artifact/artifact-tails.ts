import {
  collectIssues,
  getOwn,
  isJsonObject,
  type Json,
  type MutableJsonObject,
  type Source,
  type Storyline,
} from '@pchronicle/storyline-core';
import { typedEqual } from '../python/equal.ts';
import { parsePythonJson } from '../python/parse.ts';
import { buildStoryline } from '../reader.ts';
import { eventBatches, NotOneArtifact } from './event-batches.ts';
import { migrateArtifact } from './migrate.ts';

/** Two runs from a few events before their first difference on. */
export interface Tails {
  /** Events of each that are left out, all of them equal. */
  readonly skipped: number;
  readonly left: Storyline;
  readonly right: Storyline;
}

/** Options of {@link artifactTails}. */
export interface ArtifactTailsOptions {
  /** Equal events to keep before the first difference; default 5. */
  readonly context?: number;
}

/** One side of the comparison. */
interface Side {
  readonly head: MutableJsonObject;
  readonly batches: AsyncGenerator<readonly string[]>;
  batch: readonly string[];
  at: number;
}

/**
 * Compares two artifact files without holding them: the equal beginning of their events is passed over, and both come as Storylines
 * from a few events before the first difference on. Equal means the same types and values, `1` and `1.0` being two.
 * `undefined` where this short way is none (no plain artifact, a fault, a version without a way): import both, and see the issues.
 */
export async function artifactTails(
  left: Source,
  right: Source,
  options: ArtifactTailsOptions = {},
): Promise<Tails | undefined> {
  const context = options.context ?? 5;
  const sides = [left, right].map((source): Side => {
    const head: MutableJsonObject = {};
    return { head, batches: eventBatches(source, head), batch: [], at: 0 };
  }) as [Side, Side];
  const [a, b] = sides;
  try {
    const kept: [Json, Json][] = [];
    let skipped = 0;
    let [nextA, nextB] = [await next(a), await next(b)];
    while (nextA !== undefined && nextB !== undefined && sameEvent(nextA, nextB)) {
      kept.push([nextA, nextB]);
      if (kept.length > context) {
        kept.shift();
        skipped += 1;
      }
      // Awaiting costs more than an event: only the end of a batch is worth it.
      nextA = a.at < a.batch.length ? parse(a) : await next(a);
      nextB = b.at < b.batch.length ? parse(b) : await next(b);
    }
    const storylines = [
      await finish(
        a,
        kept.map(([event]) => event),
        nextA,
      ),
      await finish(
        b,
        kept.map(([, event]) => event),
        nextB,
      ),
    ];
    const [first, second] = storylines;
    return first === undefined || second === undefined ? undefined : { skipped, left: first, right: second };
  } catch (error) {
    if (error instanceof NotOneArtifact) return undefined;
    throw error;
  } finally {
    await a.batches.return(undefined);
    await b.batches.return(undefined);
  }
}

async function next(side: Side): Promise<Json | undefined> {
  while (side.at >= side.batch.length) {
    const { value, done } = await side.batches.next();
    if (done === true) return undefined;
    side.batch = value;
    side.at = 0;
  }
  return parse(side);
}

function parse(side: Side): Json {
  const parsed = parsePythonJson(side.batch[side.at] ?? '');
  side.at += 1;
  if ('fault' in parsed || !isJsonObject(parsed.value)) throw new NotOneArtifact();
  return parsed.value;
}

/** Reads a side to its end and builds its Storyline; `undefined` after an error. */
async function finish(
  side: Side,
  kept: readonly Json[],
  first: Json | undefined,
): Promise<Storyline | undefined> {
  const events = [...kept];
  for (let event = first; event !== undefined; event = await next(side)) events.push(event);
  const { report, failed } = collectIssues();
  const migrated = migrateArtifact({ ...side.head, events }, report);
  const settings = { python: false, lenient: false };
  const storyline = migrated && buildStoryline(migrated.artifact, migrated.sourceVersion, settings, report);
  return failed() ? undefined : storyline;
}

function sameEvent(left: Json, right: Json): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  if (!typedEqual(getOwn(left, 'type') ?? null, getOwn(right, 'type') ?? null)) return false;
  return typedEqual(getOwn(left, 'payload') ?? null, getOwn(right, 'payload') ?? null);
}
