import type { Json, Storyline } from '@pchronicle/storyline-core';
import { stringify } from '@pchronicle/storyline-core';
import { countOf } from '../terminal/numbers.ts';
import { clip, safeLine } from '../terminal/safe.ts';
import type { RenderOptions } from './render.ts';
import { textLines } from './text.ts';

/** The head of a trajectory: a line a fact, then its prompt. */
export function* headLines(storyline: Storyline, options: RenderOptions): Generator<string> {
  const { style } = options;
  const { agent, origin, task, prompt } = storyline;
  const result = task?.result;
  const facts: [string, readonly (string | undefined)[]][] = [
    ['source', [origin?.document_id, origin?.format, origin?.schema_version]],
    ['session', [storyline.session]],
    ['run', [storyline.run]],
    ['attempt', [storyline.attempt_id]],
    ['parent', [storyline.parent?.psid, storyline.parent?.rel]],
    ['agent', [agent.name ?? agent.id, agent.ver, agent.model]],
    ['task', [task?.env?.name, storyline.notes]],
    [
      'outcome',
      [
        labelled('status', result?.status),
        labelled('correct', result?.correct),
        labelled('score', result?.score),
        labelled('max score', result?.max_score),
      ],
    ],
    ['answer', [oneLine(result?.final_answer)]],
    ['expected', [oneLine(result?.ground_truth)]],
    ['error', [oneLine(result?.error)]],
    ['time', [span(storyline)]],
    ['size', [sizes(storyline)]],
    ['metrics', [oneLine(storyline.final_metrics)]],
  ];
  for (const [label, values] of facts) {
    const shown = values.filter((value) => value !== undefined && value !== '').map((value) => value ?? '');
    if (shown.length > 0) yield `${style.faint(label.padEnd(9))} ${safeLine(shown.join(' · '))}`;
  }
  if (prompt === undefined) return;
  for (const side of ['system', 'user'] as const) {
    const text = prompt[side];
    if (text === undefined || text === '') continue;
    yield '';
    yield style.strong(`${side} prompt`);
    yield* textLines(text, '  ', options);
  }
}

function labelled(label: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return `${label} ${oneLine(value)}`;
}

function oneLine(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return clip(typeof value === 'string' ? value : stringify(value), 300);
}

function span({ started_at, finished_at }: Storyline): string | undefined {
  if (started_at === undefined && finished_at === undefined) return undefined;
  return `${started_at === undefined ? '?' : String(started_at)} → ${finished_at === undefined ? '?' : String(finished_at)}`;
}

function sizes({ turns, unknown_fields, children }: Storyline): string {
  const calls = turns.reduce((sum, turn) => sum + (turn.tool_calls?.length ?? 0), 0);
  const residuals = Object.values(unknown_fields?.sources ?? {}).reduce(
    (sum, source) => sum + Object.keys(source.fields).length,
    0,
  );
  const parts = [countOf(turns.length, 'turn'), countOf(calls, 'tool call')];
  if (residuals > 0) parts.push(`${countOf(residuals, 'field')} kept as residuals`);
  if (children !== undefined && children.length > 0)
    parts.push(countOf(children.length, 'child', 'children'));
  return parts.join(' · ');
}
