import { actf } from '@pchronicle/format-actf';
import { ankole } from '@pchronicle/format-ankole';
import { createForklineWithSqlite, forklineWithSqlite } from '@pchronicle/format-forkline/sqlite';
import { openaiMessages } from '@pchronicle/format-openai-msg';
import { type AnyFormat, createRegistry, type Registry, storylineFormat } from '@pchronicle/storyline-core';
import { usageFailure } from './failure.ts';
import { ALL_FORMAT_NAMES } from './format-names.ts';
import { didYouMean } from './suggest.ts';

/** Every format of this command; the only place that names them all. A new format is added here and in format-names.ts. */
export const registry: Registry = createRegistry([
  storylineFormat,
  actf,
  openaiMessages,
  forklineWithSqlite,
  ankole,
]);

/** Formats that can also behave as the tool they come from does, faults included: what `--compat` takes instead. */
const COMPATIBLE: ReadonlyMap<AnyFormat, AnyFormat> = new Map([
  [forklineWithSqlite, createForklineWithSqlite({ compat: true })],
]);

/** The compatible variant of a format under `--compat`, where it has one. */
export function inMode(format: AnyFormat, compat: boolean | undefined): AnyFormat {
  return compat === true ? (COMPATIBLE.get(format) ?? format) : format;
}

/** The format of that name; a usage failure with the nearest name otherwise. */
export function formatNamed(name: string): AnyFormat {
  const format = registry.get(name);
  if (format !== undefined) return format;
  throw usageFailure(
    'cli/unknown-format',
    `there is no format ${JSON.stringify(name)}`,
    didYouMean(name, ALL_FORMAT_NAMES) ?? `formats: ${ALL_FORMAT_NAMES.join(', ')}`,
  );
}

/** Endings of the files that a walk through a folder takes. */
export function readableExtensions(): readonly string[] {
  const own = registry.formats
    .filter((format) => format.reader !== undefined)
    .flatMap((format) => format.extensions);
  return [...new Set(['.json', '.jsonl', '.ndjson', ...own])].sort();
}
