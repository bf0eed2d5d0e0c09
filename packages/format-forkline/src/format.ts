import type { Container, Format } from '@pchronicle/storyline-core';
import type { MigrateOptions } from './artifact/migrate.ts';
import { detect } from './detect.ts';
import { LAYOUT_SOURCE, SOURCE } from './mapping/vocabulary.ts';
import { type ForklineFrame, type ForklinePart, forklineReader } from './reader.ts';
import { EXPRESSES, forklineWriter, type WriterFrame } from './writer.ts';

/** Frame of the format: what the reader, and what the writer remembers. */
export type FormatFrame = ForklineFrame & WriterFrame;

/** The containers of artifacts in JSON: one document, an array of them, one a line. */
export const JSON_CONTAINERS: readonly [Container, ...Container[]] = [
  { kind: 'document', outer: 'document' },
  { kind: 'document', outer: 'array' },
  { kind: 'document', outer: 'lines' },
];

/** Makes the format with migrations, a current version or a compatibility mode of its own. */
export function createForkline(options: MigrateOptions = {}): Format {
  const format = {
    id: SOURCE,
    title: 'Forkline run artifact',
    extensions: ['.run.json', '.forkline.json'],
    containers: JSON_CONTAINERS,
    schema: { id: 'urn:forkline:artifact', version: '1.0' },
    fidelity: { roundTrip: 'normalised', expresses: EXPRESSES },
    ownSources: [LAYOUT_SOURCE],
    keepFloats: true,
    nonFinite: 'keep',
    detect,
    reader: forklineReader(options),
    writer: forklineWriter(options),
  } as const satisfies Format<never, ForklinePart> | object;
  return format as unknown as Format;
}

/** Forkline artifacts 1.0 in JSON, and older ones that a migration leads from (artifact schema 1.0, decisions F1-F7). */
export const forkline: Format = createForkline();

/** The same, reading and writing exactly as Forkline 0.5 does (`--compat`): lenient about types, unknown fields dropped on writing, bare NaN, Python's text. */
export const forklineCompat: Format = createForkline({ compat: true });
