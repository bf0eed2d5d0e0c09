import { runSteps } from '../containers/run-steps.ts';
import type { DrivenFormat } from '../format.ts';
import type { Source } from '../source.ts';
import type { RowsContainer } from './choose-container.ts';
import { collectIssuesAt } from './document-run.ts';
import type { ImportOptions } from './events.ts';
import { indexParts } from './index-parts.ts';
import { startStream } from './stream-run.ts';

/** What {@link findGroups} found in a source. */
export interface FoundGroups {
  /** The keys of its rows, each once: a text with a quote in front, or a number; and the names that link rows, with `>` in front. */
  readonly ids: readonly string[];
  /** Some of its rows have no key but belong to the only group there is (an empty page). */
  readonly canBeAdopted: boolean;
}

/**
 * Looks which groups the rows of a source belong to, by a skipping scan: sources of a format that joins (`Format.joins`) which share an id
 * are to be read together, by `joinSources`. Never throws for data; throws what the source's reads throw, and the signal's reason on abort.
 */
export async function findGroups(
  source: Source,
  format: DrivenFormat,
  { signal, ...options }: ImportOptions = {},
): Promise<FoundGroups> {
  const container = format.containers.find(
    (each): each is RowsContainer => each.kind === 'rows' && each.in === 'array',
  );
  if (format.joins !== true || container === undefined) return { ids: [], canBeAdopted: false };
  const run = startStream(source, format, options);
  const part = { name: source.name, start: 0, end: source.size };
  const steps = indexParts(run, collectIssuesAt(run), container, [part]);
  const { index } = await runSteps(steps, source, signal);
  const { ids, canBeAdopted } = index;
  return { ids, canBeAdopted };
}
