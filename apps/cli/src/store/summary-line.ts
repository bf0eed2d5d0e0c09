import type { IngestSummary } from '@pchronicle/store-lance';
import { countOf, formatBytes, formatCount, formatDuration } from '../terminal/numbers.ts';
import { safeLine } from '../terminal/safe.ts';

/** What an import did, in a sentence: `imported 3 trajectories (2 new, 1 replaced), 5 unchanged, into ./trajectories: 12 MB in 1.2 s`. */
export function summaryLine(
  totals: IngestSummary,
  about: {
    readonly seconds: number;
    readonly bytes: number;
    readonly store: string;
    readonly dryRun: boolean;
  },
): string {
  const { new: added, replaced, unchanged, rejected, copies, tombstoned, elsewhere } = totals.documents;
  const written = added + replaced;
  const parts = [
    written === 0
      ? 'nothing new'
      : `${about.dryRun ? 'would import' : 'imported'} ${countOf(written, 'trajectory', 'trajectories')} (${formatCount(added)} new, ${formatCount(replaced)} replaced)`,
    unchanged > 0 ? `${formatCount(unchanged)} unchanged` : '',
    copies > 0 ? countOf(copies, 'copy', 'copies') : '',
    tombstoned > 0 ? `${formatCount(tombstoned)} gone from ${tombstoned === 1 ? 'its' : 'their'} source` : '',
    elsewhere > 0 ? `${formatCount(elsewhere)} left to other shares` : '',
    rejected > 0 ? `${countOf(rejected, 'document')} rejected` : '',
  ].filter((part) => part !== '');
  const where = about.dryRun ? `${safeLine(about.store)} was not changed` : `into ${safeLine(about.store)}`;
  return `${parts.join(', ')}; ${where} (${formatBytes(about.bytes)} in ${formatDuration(about.seconds)})`;
}
