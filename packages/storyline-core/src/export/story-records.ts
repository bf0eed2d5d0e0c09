import type { WrittenRecord } from '../format.ts';
import { validateStoryline } from '../storyline/validate.ts';
import type { Storyline } from '../storyline.ts';
import { outerOf } from './choose-container.ts';
import { writerOf } from './plan.ts';
import { showStory } from './show-story.ts';
import { type Encode, type Layout, layoutOf } from './text.ts';
import { type ReadRequest, reportFor, type Slot, type WriteRun, writerReport } from './write-run.ts';

/** A Storyline with its records, which are made while they are iterated. */
export interface StoryRecords {
  readonly storyline: Storyline;
  readonly records: Iterable<WrittenRecord>;
}

/** Asks for a Storyline, checks it and starts writing it; `undefined` after an error, which fails the document or rejects the Storyline. */
export function* storyRecords(
  run: WriteRun,
  slot: Slot,
  frame: unknown,
): Generator<ReadRequest, StoryRecords | undefined, Storyline | undefined> {
  const given = yield { read: slot.index };
  const { failed } = run;
  const storyline = given === undefined ? undefined : validateStoryline(given, reportFor(run, slot));
  const told = storyline && showStory(run.format, storyline, writerReport(run, slot));
  const records = told && writerOf(run.format).write(told.shown, frame, told.report, run.container);
  if (storyline === undefined || records === undefined) {
    // Among rows a Storyline is a unit of its own, as its rows are to a reader: the others go on (decision G7).
    const alone = run.container.kind !== 'rows' || given === undefined;
    if (!alone) run.rejected.add(slot);
    run.failed = failed || alone;
    return undefined;
  }
  return { storyline, records };
}

/** The layout of a document; lines are compact. */
export function layoutFor(run: WriteRun): Layout {
  const indent = outerOf(run.container) === 'lines' ? 0 : (run.options.indent ?? 0);
  const count = (): void => {
    run.nonFinite += 1;
  };
  return layoutOf(indent, run.format.nonFinite === 'keep' ? undefined : count);
}

/** The writer's own way to write the value of a record, where it has one. */
export function encoderOf(run: WriteRun): Encode | undefined {
  const writer = writerOf(run.format);
  return writer.encode === undefined ? undefined : (value) => writer.encode?.(value) ?? [];
}
