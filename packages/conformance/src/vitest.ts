import type { AnyFormat } from '@pchronicle/storyline-core';
import { describe, test } from 'vitest';
import type { Material } from './law.ts';
import { lawsOf } from './laws-of.ts';

/** One vitest test for each law that the format must keep. */
export function describeFormat(format: AnyFormat, material: Material): void {
  describe(`the laws of ${format.id}`, () => {
    for (const law of lawsOf(format, material)) test(law.name, () => law.check());
  });
}
