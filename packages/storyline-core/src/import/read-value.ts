import type { Container, SourceRecord } from '../format.ts';
import type { Place } from '../issue.ts';
import { compareText } from '../json/compare-text.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { ENVELOPE_KEY, readEnvelope } from '../storyline/envelope.ts';
import type { Storyline } from '../storyline.ts';
import type { DocumentRun } from './document-run.ts';
import { checkRecord, type Envelope, importRecord } from './import-record.ts';
import { type ImportRun, placeIn } from './import-run.ts';
import { readFrame } from './read-frame.ts';
import { judgeRecord, reportUnmetCarriers, type Verdict } from './verdict.ts';

/** Containers whose documents are values of their own. */
export type DocumentContainer = Extract<Container, { readonly kind: 'document' | 'entries' }>;

/** Reads one document that is in memory as a value: its good Storylines. All else is reported. */
export function readValue(
  run: ImportRun,
  issues: DocumentRun,
  verdict: Verdict,
  container: DocumentContainer,
  value: Json,
): readonly Storyline[] {
  const member = container.kind === 'entries' ? container.member : undefined;
  if (member !== undefined && !isJsonObject(value)) {
    reportNoObject(run, issues);
    return [];
  }
  const apart = takeApart(run, issues, value, member, isJsonObject);
  const entries = isJsonObject(apart.records) ? apart.records : {};
  const keys = Object.keys(entries).sort(compareText);
  const at: Place = issues.at;
  const root = member === undefined ? {} : apart.root;
  const frame = readFrame(run, issues, { root, keys, source: run.name, at });
  verdict.broken = frame === undefined || frame.broken;
  if (frame === undefined) return [];
  const storylines: Storyline[] = [];
  const readRecord = (record: { readonly key?: string }, held: Json, pointer: string): void => {
    const place = placeIn(run, { ...at, pointer });
    const values = () => [{ value: held, index: 0, at: place }];
    const whole: SourceRecord<unknown> = {
      ...record,
      frame: frame.value,
      source: run.name,
      at: place,
      values,
    };
    if (verdict.broken) {
      checkRecord(run, issues, whole);
      return;
    }
    const built = importRecord(run, issues, whole, () => [pointer], apart.envelope);
    for (const { storyline } of judgeRecord(run, issues, verdict, built, pointer)) storylines.push(storyline);
  };
  if (member === undefined) readRecord({}, apart.document, '');
  for (const key of keys)
    readRecord({ key }, getOwn(entries, key) ?? null, appendPointer('', member ?? '', key));
  if (!verdict.broken) reportUnmetCarriers(apart.envelope, issues);
  return storylines;
}

/** Reports a document that should be an object. */
export function reportNoObject(run: ImportRun, issues: DocumentRun): void {
  issues.report(
    'error',
    'core/unexpected-container',
    '',
    `a document of ${run.format.title} is an object, but this is none`,
  );
}

/** A document value taken apart. */
export interface Apart {
  /** The value without its envelope. */
  readonly document: Json;
  /** The root members besides the envelope and the one that holds the records; empty, that one stays. */
  readonly root: JsonObject;
  /** The value of the member that holds the records. */
  readonly records: Json | undefined;
  readonly envelope: Envelope | undefined;
}

/** Takes a document value apart; `member` holds its records if its value is what `isRecords` wants. */
export function takeApart(
  run: ImportRun,
  issues: DocumentRun,
  value: Json,
  member: string | undefined,
  isRecords: (value: Json | undefined) => boolean,
): Apart {
  const root: MutableJsonObject = {};
  if (!isJsonObject(value)) return { document: value, root, records: undefined, envelope: undefined };
  // A format that expresses all residuals itself (Storyline) has no envelope: to it, the key is one like any other.
  const isCarrier = run.format.ownSources?.includes('*') !== true && Object.hasOwn(value, ENVELOPE_KEY);
  let records: Json | undefined;
  for (const key of Object.keys(value)) {
    const held = value[key] as Json;
    const holdsRecords = key === member && isRecords(held);
    if (holdsRecords) records = held;
    const isTaken = holdsRecords && Object.keys(held as object).length > 0;
    if (!isTaken && !(isCarrier && key === ENVELOPE_KEY)) setOwn(root, key, held);
  }
  const document = member === undefined && isCarrier ? root : value;
  const carriers = isCarrier ? readEnvelope(getOwn(value, ENVELOPE_KEY) ?? null, issues.report) : undefined;
  const envelope = carriers && { root: member === undefined ? {} : root, carriers, met: new Set<string>() };
  return { document, root, records, envelope };
}
