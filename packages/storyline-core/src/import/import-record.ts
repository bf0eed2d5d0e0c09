import type { SourceRecord } from '../format.ts';
import type { Report } from '../issue.ts';
import { mergeEnvelope } from '../storyline/envelope.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { validateStoryline } from '../storyline/validate.ts';
import type { Storyline } from '../storyline.ts';
import type { DocumentRun } from './document-run.ts';
import { guardReader } from './guard-reader.ts';
import type { ImportRun } from './import-run.ts';

/** The `_storyline` envelope of a document: what it carries, and which carriers have been met. */
export interface Envelope {
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
  const outcome = guardReader(run, issues, record.at.pointer, () => {
    const part = run.reader.decode(record, issues.report);
    if (part === undefined) {
      if (issues.errors() === before) reportSilence(run, issues.report, record.at.pointer);
      return false;
    }
    let index = 0;
    for (const storyline of run.reader.toStorylines(part, issues.report)) {
      const carriers = run.reader.carriers?.(part, index) ?? defaultCarriers();
      index += 1;
      const complete = complementStoryline(run, issues, storyline, carriers, envelope, record.at.pointer);
      if (complete !== undefined) built.push({ storyline: complete, carriers });
    }
    return true;
  });
  // What the envelope carries for a rejected record is accounted for by the rejection.
  if (envelope !== undefined) for (const carrier of defaultCarriers()) envelope.met.add(carrier);
  return outcome === true && issues.errors() === before ? built : undefined;
}

function reportSilence(run: ImportRun, report: Report, pointer: string): void {
  const message = `the ${run.format.id} reader rejected this record without saying why; please report this`;
  report('error', 'core/reader-fault', pointer, message);
}

/** Merges the envelope into a Storyline and checks it against storyline-v1. */
function complementStoryline(
  run: ImportRun,
  issues: DocumentRun,
  storyline: Storyline,
  carriers: readonly string[],
  envelope: Envelope | undefined,
  pointer: string,
): Storyline | undefined {
  let merged: Storyline | undefined = storyline;
  for (const carrier of carriers) {
    const sources = envelope?.carriers.get(carrier);
    envelope?.met.add(carrier);
    if (sources !== undefined && merged !== undefined)
      merged = mergeEnvelope(merged, sources, run.format.id, issues.report);
  }
  if (merged === undefined) return undefined;
  return validateStoryline(merged, (severity, code, inside, message) => {
    issues.report(
      severity,
      code,
      pointer,
      `${message} (at ${inside || 'the root'} of the Storyline built from this record)`,
    );
  });
}
