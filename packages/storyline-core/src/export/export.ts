import type { DrivenFormat } from '../format.ts';
import type { Issue } from '../issue.ts';
import type { Storyline, StorylineHead } from '../storyline.ts';
import { chooseContainer, type WrittenContainer } from './choose-container.ts';
import { documentText } from './document-text.ts';
import type { ExportOptions } from './options.ts';
import { documentPlanner, type PlannedDocument } from './plan.ts';
import type { StoryCollection } from './story-collection.ts';
import { guardedNext, type WriteRun, type WriteSteps } from './write-run.ts';

/** One output document. Its text can be pulled once; it is all or nothing: when `failed()` is true at its end, throw it away. */
export interface ExportDocument {
  /** 0-based position among the documents of this export. */
  readonly ordinal: number;
  /** How many documents this export has. */
  readonly count: number;
  /** Positions of its Storylines in the selection, in the order in which they are written. */
  readonly indexes: readonly number[];
  readonly heads: readonly StorylineHead[];
  readonly container: WrittenContainer;
  /** Whether a file that holds this document alone ends with a line break. */
  readonly finalNewline: boolean;
  /** The document's text in pieces of some 32 k characters, without a final line break. */
  text(): AsyncGenerator<string>;
  /** Grows while the text is pulled; the place's `record` is the number of the Storyline in the selection, from 1. */
  readonly issues: readonly Issue[];
  /** Whether there was an error or, under `strict`, a loss. */
  failed(): boolean;
  /** How many of its Storylines could not be written, where the others are (rows); known at the text's end. */
  rejected(): number;
}

/**
 * Writes a selection of Storylines in a format, document by document. All heads are gathered first; then one Storyline is held at a time,
 * whatever the size of its document. Throws a TypeError when the format has no writer or no such container: ask
 * {@link chooseContainer} first.
 */
export async function* exportDocuments(
  format: DrivenFormat,
  stories: StoryCollection,
  options: ExportOptions = {},
): AsyncGenerator<ExportDocument> {
  const container = containerFor(format, options);
  const planner = documentPlanner(format, container);
  let index = 0;
  for await (const head of stories.heads()) {
    planner.add(head, stories.sourceOf?.(index));
    index += 1;
  }
  const plans = planner.documents();
  for (const plan of plans)
    yield exportOne(startWriting(format, container, plan, options), plans.length, stories);
}

/** The container to write into; throws where the format has none. */
export function containerFor(format: DrivenFormat, options: ExportOptions): WrittenContainer {
  const container = chooseContainer(format, options.outer);
  if (container !== undefined) return container;
  throw new TypeError(
    `the format ${format.id} has no container that the driver can write${options.outer === undefined ? '' : ` as ${options.outer}`}`,
  );
}

/** Starts one document. */
export function startWriting(
  format: DrivenFormat,
  container: WrittenContainer,
  plan: PlannedDocument,
  options: ExportOptions,
): WriteRun {
  return {
    format,
    container,
    plan,
    options,
    issues: [...plan.faults],
    failed: plan.faults.length > 0,
    rejected: new Set(),
    nonFinite: 0,
    counts: new Map(),
  };
}

function exportOne(run: WriteRun, count: number, stories: StoryCollection): ExportDocument {
  let steps: WriteSteps | undefined;
  return {
    ordinal: run.plan.ordinal,
    count,
    indexes: run.plan.indexes,
    heads: run.plan.heads,
    container: run.container,
    finalNewline: run.format.writer?.finalNewline ?? true,
    issues: run.issues,
    failed: () => run.failed,
    rejected: () => run.rejected.size,
    async *text() {
      if (steps !== undefined) throw new TypeError('the text of a document can be pulled once');
      steps = documentText(run);
      let answer: Storyline | undefined;
      let held = '';
      for (;;) {
        const step = guardedNext(run, steps, answer);
        answer = undefined;
        if (step === undefined) break;
        if (typeof step !== 'string') {
          answer = await stories.read(step.read);
          continue;
        }
        held += step;
        if (held.length < 32_768) continue;
        yield held;
        held = '';
      }
      if (held !== '') yield held;
    },
  };
}
