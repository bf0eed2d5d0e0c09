import type { ListedRun } from '@pchronicle/store-lance';
import { formatCount, formatDuration } from '../terminal/numbers.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';

/** Runs as a table: what each is, how it ended, how big it is, when it was. Columns that no run fills are left out. */
export function runTable(runs: readonly ListedRun[], width: number, style: Style): string {
  const columns = COLUMNS.filter((column) => runs.some((run) => column.text(run) !== ''));
  return formatTable(runs, columns, width, style);
}

const COLUMNS: readonly Column<ListedRun>[] = [
  { title: 'KEY', text: (run) => run.documentKey.slice(0, 8) },
  { title: 'DOCUMENT', min: 14, text: (run) => run.documentId },
  { title: 'ATTEMPT', min: 7, text: (run) => run.attempt ?? '' },
  {
    title: 'RUN',
    min: 6,
    text: (run) => (run.run === undefined || run.run === run.documentId ? '' : run.run),
  },
  { title: 'FORMAT', text: (run) => run.format ?? '' },
  { title: 'AGENT', min: 6, text: (run) => run.agent },
  { title: 'MODEL', min: 6, text: (run) => run.model ?? '' },
  { title: 'OUTCOME', min: 7, text: outcome },
  { title: 'TURNS', align: 'right', text: (run) => formatCount(run.turns) },
  { title: 'CALLS', align: 'right', text: calls },
  { title: 'TOKENS', align: 'right', text: tokens },
  { title: 'STARTED', text: (run) => run.startedAt?.replace(/^(.{10})T(.{8}).*$/, '$1 $2') ?? '' },
  { title: 'TOOK', align: 'right', text: took },
  { title: 'SOURCE', min: 10, text: (run) => run.source },
];

function outcome(run: ListedRun): string {
  const score = run.score === undefined ? undefined : String(Number(run.score.toPrecision(4)));
  const verdict = run.correct === undefined ? undefined : run.correct ? 'correct' : 'wrong';
  return [verdict, score, run.status].filter((part) => part !== undefined && part !== '').join(' · ');
}

function calls(run: ListedRun): string {
  const failed = run.failedToolCalls > 0 ? ` (${formatCount(run.failedToolCalls)} failed)` : '';
  return `${formatCount(run.toolCalls)}${failed}`;
}

function tokens(run: ListedRun): string {
  const sum = (run.promptTokens ?? 0) + (run.completionTokens ?? 0);
  return run.promptTokens === undefined && run.completionTokens === undefined ? '' : formatCount(sum);
}

function took(run: ListedRun): string {
  if (run.startedAt === undefined || run.finishedAt === undefined) return '';
  const seconds = (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? formatDuration(seconds) : '';
}
