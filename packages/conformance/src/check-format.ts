import type { AnyFormat } from '@pchronicle/storyline-core';
import type { Material } from './law.ts';
import { lawsOf } from './laws-of.ts';

/** What {@link checkFormat} found: the laws that hold, and those that do not with the error of each. */
export interface Verdict {
  readonly kept: readonly string[];
  readonly broken: readonly { readonly law: string; readonly error: Error }[];
}

/** Checks all laws of a format, without a test runner; it does not throw. */
export async function checkFormat(format: AnyFormat, material: Material): Promise<Verdict> {
  const kept: string[] = [];
  const broken: { law: string; error: Error }[] = [];
  for (const law of lawsOf(format, material)) {
    try {
      await law.check();
      kept.push(law.name);
    } catch (error) {
      broken.push({ law: law.name, error: error as Error });
    }
  }
  return { kept, broken };
}
