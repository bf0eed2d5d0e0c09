import type { Json } from '@pchronicle/storyline-core';
import { pythonJson } from '../python/dump.ts';
import type { FirstDivergence } from './first-divergence.ts';
import type { JsonDifference } from './json-diff.ts';
import type { StepSummary } from './step-signature.ts';

const MOST_OPERATIONS = 10;
const LONGEST_VALUE = 40;

/** The text that the command line of Forkline 0.3 prints for a first divergence. */
export function firstDivergenceText(result: FirstDivergence): string {
  const lines = [`First divergence: ${result.status}`, `  ${result.explanation}`, ''];
  step(lines, 'Run A', result.old_step);
  step(lines, 'Run B', result.new_step);
  operations(lines, 'Input diff', result.input_diff);
  operations(lines, 'Output diff', result.output_diff);
  lines.push(`  Last equal: step ${result.last_equal_idx}`);
  context(lines, 'Context A', result.context_a);
  context(lines, 'Context B', result.context_b);
  return `${lines.join('\n')}\n`;
}

/** The JSON that the command line of Forkline 0.3 prints: member order kept, indent 2, ASCII. */
export function firstDivergenceJson(result: FirstDivergence): string {
  return `${pythonJson(result as unknown as Json, { indent: 2, sortKeys: false })}\n`;
}

function step(lines: string[], label: string, summary: StepSummary | null): void {
  if (summary === null) return;
  lines.push(
    `  ${label} step ${summary.idx} '${summary.name}':`,
    `    input_hash:  ${summary.input_hash.slice(0, 16)}...`,
    `    output_hash: ${summary.output_hash.slice(0, 16)}...`,
    `    events: ${summary.event_count}`,
    `    has_error: ${summary.has_error ? 'True' : 'False'}`,
    '',
  );
}

function operations(lines: string[], label: string, differences: readonly JsonDifference[] | null): void {
  if (differences === null || differences.length === 0) return;
  lines.push(`  ${label}:`);
  for (const difference of differences.slice(0, MOST_OPERATIONS)) lines.push(`    ${operation(difference)}`);
  if (differences.length > MOST_OPERATIONS)
    lines.push(`    ... and ${differences.length - MOST_OPERATIONS} more operations`);
  lines.push('');
}

function operation(difference: JsonDifference): string {
  if (difference.op === 'remove') return `remove ${difference.path}: ${cut(difference.old)}`;
  if (difference.op === 'add') return `add ${difference.path}: ${cut(difference.value)}`;
  return `replace ${difference.path}: ${cut(difference.old)} -> ${cut(difference.new)}`;
}

function cut(value: Json): string {
  const text = pythonJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 3)}...` : text;
}

function context(lines: string[], label: string, summaries: readonly StepSummary[]): void {
  if (summaries.length === 0) return;
  lines.push(`  ${label}: [${summaries.map((one) => `step ${one.idx} '${one.name}'`).join(', ')}]`);
}
