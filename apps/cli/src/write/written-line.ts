import type { AnyFormat } from '@pchronicle/storyline-core';
import { countsInWords, type SeverityCounts } from '../issues/tally.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';
import type { Destination } from './destination.ts';
import type { Written } from './writing.ts';

/** What was written, in a sentence: `converted 12 trajectories to 3 documents of actf in out/; 2 losses`. */
export function writtenLine(
  verb: string,
  written: Written,
  format: AnyFormat,
  destination: Destination,
  counts: SeverityCounts,
): string {
  const where = destination.kind === 'stdout' ? '' : ` in ${safeLine(destination.path)}`;
  const failed = written.failed > 0 ? `, ${countOf(written.failed, 'document')} could not be written` : '';
  const what = `${countOf(written.storylines, 'trajectory', 'trajectories')} to ${countOf(written.documents, 'document')} of ${format.id}`;
  const done = written.documents === 0 ? 'nothing was written' : `${verb} ${what}${where}`;
  return `${done}${failed}; ${countsInWords(counts)}`;
}
