import type { Fault } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import type { Window } from '../containers/window.ts';
import type { SourceRecord } from '../format.ts';
import type { Place } from '../issue.ts';
import { parseBytes } from '../json/parse.ts';
import { getOwn, isJsonObject, type Json, type MutableJsonObject, setOwn } from '../json/value.ts';
import type { ByteRange } from '../source.ts';
import { ENVELOPE_KEY, readEnvelope } from '../storyline/envelope.ts';
import { type FindExtent, startDocument } from './document-run.ts';
import { endDocument, reportUnmetCarriers, startVerdict, tellRecord } from './end-document.ts';
import type { ImportEvent } from './events.ts';
import { type Envelope, importRecord } from './import-record.ts';
import { bytesOf, type ImportRun, placeIn } from './import-run.ts';
import { readFrame } from './read-frame.ts';

/** Imports one document that is one record; `fault` is what the scan found wrong with it. */
export function* importWhole(
  run: ImportRun,
  window: Window,
  range: ByteRange,
  place: Omit<Place, 'source' | 'pointer'>,
  fault: Fault | undefined,
): Steps<void, ImportEvent> {
  const { start, end } = range;
  const issues = startDocument(run, { ...place, offset: start });
  yield { type: 'document', document: issues.document };
  const verdict = startVerdict();
  const findExtent: FindExtent = () => ({ pointer: '', start, end });
  let value: Json | undefined;
  const isLimit = fault?.code.startsWith('core/') === true;
  if (fault !== undefined && (isLimit || end - start > run.limits.recordBytes)) {
    issues.reportAt('error', fault.code, '', fault.message, fault.offset);
  } else {
    // Broken JSON is parsed all the same: the parser says best what is wrong, and where.
    const bytes = yield* bytesOf(run, window, start, end);
    value = parseBytes(bytes, run, (severity, code, pointer, message, offset) =>
      issues.reportAt(severity, code, pointer, message, start + offset),
    );
  }
  if (value === undefined) verdict.broken = true;
  else {
    // A format that expresses all residuals itself (Storyline) has no envelope: to it, the key is one like any other.
    const { envelopeValue, document } =
      run.format.ownSources?.includes('*') === true
        ? { envelopeValue: undefined, document: value }
        : takeEnvelope(value);
    const carriers = envelopeValue === undefined ? undefined : readEnvelope(envelopeValue, issues.report);
    const envelope: Envelope | undefined =
      carriers === undefined ? undefined : { root: {}, carriers, met: new Set() };
    const frame = readFrame(run, issues, { root: {}, keys: [], source: run.source.name, at: issues.at });
    if (frame === undefined) verdict.broken = true;
    else {
      const at = placeIn(run, { ...place, offset: start, pointer: '' });
      const record: SourceRecord<unknown> = {
        frame: frame.value,
        source: run.source.name,
        at,
        values: () => [{ value: document, index: 0, at }],
      };
      const built = importRecord(run, issues, record, () => [''], envelope);
      reportUnmetCarriers(envelope, issues);
      yield* tellRecord(run, issues, verdict, built, { pointer: '', offset: start }, findExtent);
    }
  }
  yield* endDocument(run, issues, verdict, [range], findExtent);
}

/** Takes the envelope away from a document that is an object. */
function takeEnvelope(value: Json): { readonly envelopeValue?: Json; readonly document: Json } {
  if (!isJsonObject(value)) return { document: value };
  const envelopeValue = getOwn(value, ENVELOPE_KEY);
  if (envelopeValue === undefined) return { document: value };
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(value)) if (key !== ENVELOPE_KEY) setOwn(rest, key, value[key] as Json);
  return { envelopeValue, document: rest };
}
