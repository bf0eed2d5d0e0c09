import { ownSources } from '../export/foreign-sources.ts';
import type { SourceRecord } from '../format.ts';
import type { Report } from '../issue.ts';
import type { JsonObject } from '../json/value.ts';
import { mergeEnvelope } from '../storyline/envelope.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { validateStoryline } from '../storyline/validate.ts';
import type { Storyline } from '../storyline.ts';
import { applyCarried, CARRY_SOURCE, type Carried, hashedValues, hostDigest, takeCarried } from './carry.ts';
import type { DocumentRun } from './document-run.ts';
import { guardReader } from './guard-reader.ts';
import type { ImportRun } from './import-run.ts';

/** The `_storyline` envelope of a document: what it carries, and which carriers have been met. */
export interface Envelope {
  /** Root members of the document, which the digest of what `--carry` left covers. */
  readonly root: JsonObject;
  readonly carriers: ReadonlyMap<string, ResidualSources>;
  readonly met: Set<string>;
}

/** A Storyline with the pointers of the records it came from. */
export interface BuiltStoryline {
  readonly storyline: Storyline;
  readonly carriers: readonly string[];
}

/**
 * Takes one record through decode and toStorylines, merges what the envelope carries for it, and checks the outcome. Everything
 * wrong is reported; `undefined` when the record is to be rejected.
 */
export function importRecord(
  run: ImportRun,
  issues: DocumentRun,
  record: SourceRecord<unknown>,
  defaultCarriers: () => readonly string[],
  envelope: Envelope | undefined,
): readonly BuiltStoryline[] | undefined {
  const before = issues.errors();
  const built: BuiltStoryline[] = [];
  const hashed = isCarried(envelope, defaultCarriers) ? hashedValues(record.values()) : undefined;
  const digest = (): string => hostDigest(envelope?.root ?? {}, hashed?.hashes() ?? []);
  const outcome = guardReader(run, issues, record.at.pointer, () => {
    const part = run.reader.decode(
      hashed === undefined ? record : { ...record, values: hashed.values },
      issues.report,
    );
    if (part === undefined) {
      if (issues.errors() === before) reportSilence(run, issues.report, record.at.pointer);
      return false;
    }
    let index = 0;
    for (const storyline of run.reader.toStorylines(part, issues.report)) {
      const carriers = run.reader.carriers?.(part, index) ?? defaultCarriers();
      index += 1;
      const complete = complementStoryline(run, issues, storyline, {
        carriers,
        envelope,
        digest,
        pointer: record.at.pointer,
      });
      if (complete !== undefined) built.push({ storyline: complete, carriers });
    }
    return true;
  });
  // What the envelope carries for a rejected record is accounted for by the rejection.
  if (envelope !== undefined) for (const carrier of defaultCarriers()) envelope.met.add(carrier);
  return outcome === true && issues.errors() === before ? built : undefined;
}

/** Looks for the faults of a record whose document is rejected anyway. */
export function checkRecord(run: ImportRun, issues: DocumentRun, record: SourceRecord<unknown>): void {
  guardReader(run, issues, record.at.pointer, () => run.reader.decode(record, issues.report));
}

function reportSilence(run: ImportRun, report: Report, pointer: string): void {
  const message = `the ${run.format.id} reader rejected this record without saying why; please report this`;
  report('error', 'core/reader-fault', pointer, message);
}

/** Whether `--carry` left something for a record. */
function isCarried(envelope: Envelope | undefined, carriers: () => readonly string[]): boolean {
  if (envelope === undefined) return false;
  return carriers().some((carrier) => Object.hasOwn(envelope.carriers.get(carrier) ?? {}, CARRY_SOURCE));
}

/** What completes a Storyline. */
interface Complement {
  readonly carriers: readonly string[];
  readonly envelope: Envelope | undefined;
  /** Digest of what was read of the document, for what `--carry` left. */
  readonly digest: () => string;
  readonly pointer: string;
}

/** Merges the envelope into a Storyline, checks it against storyline-v1, and puts carried members in their place. */
function complementStoryline(
  run: ImportRun,
  issues: DocumentRun,
  storyline: Storyline,
  complement: Complement,
): Storyline | undefined {
  const { carriers, envelope, digest, pointer } = complement;
  let merged: Storyline | undefined = storyline;
  let carriedBlock: Carried | undefined;
  for (const carrier of carriers) {
    const sources = envelope?.carriers.get(carrier);
    envelope?.met.add(carrier);
    if (sources === undefined || merged === undefined) continue;
    const { carried, others } =
      run.format.id === CARRY_SOURCE ? { carried: undefined, others: sources } : takeCarried(sources);
    carriedBlock ??= carried;
    merged = mergeEnvelope(merged, others, ownSources(run.format), issues.report, carrier);
  }
  if (merged === undefined) return undefined;
  const valid = validateStoryline(merged, (severity, code, inside, message) => {
    issues.report(
      severity,
      code,
      pointer,
      `${message} (at ${inside || 'the root'} of the Storyline built from this record)`,
    );
  });
  if (valid === undefined || carriedBlock === undefined) return valid;
  return applyCarried(valid, carriedBlock, digest(), issues.report);
}
