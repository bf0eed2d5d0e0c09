import { type AnyFormat, chooseContainer, type Outer } from '@pchronicle/storyline-core';
import type { WriteOptions } from '../commands/write-options.ts';
import { usageFailure } from '../failure.ts';
import { formatNamed, inMode, registry } from '../formats.ts';

/** The format that `--to` names, if it can be written at all, and in the container that was asked for. */
export function targetFormat(
  options: Pick<WriteOptions, 'to' | 'container'> & { readonly compat?: boolean },
): AnyFormat {
  const format = inMode(formatNamed(options.to), options.compat);
  if (format.writer === undefined) {
    const able = registry.formats.filter((other) => other.writer !== undefined).map(({ id }) => id);
    const message = `${format.title} can be read but not written`;
    throw usageFailure('cli/not-writable', message, `formats that can be written: ${able.join(', ')}`);
  }
  if (chooseContainer(format, options.container) !== undefined) return format;
  const can = writableOuters(format);
  throw usageFailure(
    'cli/no-such-container',
    `${format.title} is not written as ${options.container}`,
    can.length === 0 ? undefined : `--container may be ${can.join(' or ')}`,
  );
}

/** The containers a format can be written in. */
export function writableOuters(format: AnyFormat): readonly Outer[] {
  const all: readonly Outer[] = ['document', 'array', 'lines'];
  return all.filter((outer) => chooseContainer(format, outer) !== undefined);
}
