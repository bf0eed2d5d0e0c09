import { isJsonObject, type Json } from '../json/value.ts';
import { buildEnvelope } from '../storyline/build-envelope.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import { envelopeBlocks, reportEnvelopeTaken, reportNoEnvelope } from './envelope-blocks.ts';
import { encoderOf, layoutFor, storyRecords } from './story-records.ts';
import { reportFor, reportNonFinite, type Slot, type WriteRun, type WriteSteps } from './write-run.ts';

/** Writes a document that is one record. */
export function* wholeDocument(run: WriteRun, slots: readonly Slot[], frame: unknown): WriteSteps {
  const [slot] = slots as readonly [Slot];
  if (slots.length > 1) {
    const message = `a document of ${run.format.id} holds one Storyline; ${slots.length} of the selection belong into this one`;
    reportFor(run, slot)('error', 'core/several-storylines', '', message);
    return;
  }
  const story = yield* storyRecords(run, slot, frame);
  if (story === undefined) return;
  const records = [...story.records];
  const [record, ...others] = records;
  if (run.failed) return;
  if (record === undefined || others.length > 0) {
    throw new TypeError(
      `the writer of ${run.format.id} gave ${records.length} records for a document that is one`,
    );
  }
  let value: Json = record.value;
  if (!isJsonObject(value)) {
    reportNoEnvelope(run, slot, 'the document has no root object for the envelope');
  } else if (Object.hasOwn(value, ENVELOPE_KEY)) {
    reportEnvelopeTaken(run, slot);
  } else {
    const standing = { root: {}, keys: [], places: [0], encode: encoderOf(run) };
    const blocks = envelopeBlocks(run, slot, story.storyline, records, standing);
    const envelope = blocks === undefined ? undefined : buildEnvelope([['', blocks]]);
    if (envelope !== undefined) value = { ...value, [ENVELOPE_KEY]: envelope };
  }
  if (run.failed) return;
  yield* layoutFor(run).value(value, 0, encoderOf(run));
  reportNonFinite(run, slot, run.nonFinite);
}
