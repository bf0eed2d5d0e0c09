import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import { reportEnvelopeTaken } from './envelope-blocks.ts';
import { writerOf } from './plan.ts';
import { recordDocument } from './record-document.ts';
import { wholeDocument } from './whole-document.ts';
import { slotsOf, type WriteRun, type WriteSteps, writerReport } from './write-run.ts';

/**
 * Writes one document: frame, root, the records of each Storyline, the envelope. The same steps serve the asynchronous driver and the
 * one in memory, which answer the requests for Storylines; one Storyline is held at a time, unless their rows overlap. After an error
 * (`run.failed`) the text ends early and is worth nothing.
 */
export function* documentText(run: WriteRun): WriteSteps {
  const slots = slotsOf(run.plan);
  const [first] = slots;
  if (first === undefined || run.failed) return;
  const writer = writerOf(run.format);
  const frame = writer.frame(run.plan.heads, writerReport(run, first));
  if (frame === undefined) run.failed = true;
  if (run.failed) return;
  if (run.container.kind === 'document') {
    yield* wholeDocument(run, slots, frame);
    return;
  }
  const root = writer.root(frame);
  if (Object.hasOwn(root, ENVELOPE_KEY)) reportEnvelopeTaken(run, first);
  else yield* recordDocument(run, run.container, slots, frame, root);
}
