import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '@pchronicle/conformance';
import { exportValue, getOwn, type Json, type JsonObject, parseJson } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { importOpenaiMessages, normaliseOpenaiMessages, openaiMessages } from '../src/index.ts';
import { rowsOfTrajectory } from './support/trajectories.ts';

const corpus = process.env.PCHRONICLE_CORPUS;

function read(path: string): Json {
  const { value } = parseJson(readFileSync(join(corpus ?? '', path)));
  if (value === undefined) throw new Error(`${path} is no JSON`);
  return value;
}

describe.skipIf(corpus === undefined || !existsSync(corpus))('the corpus (G1)', () => {
  test('openai-messages: rows of several sessions, out of order, come back in their places (O2)', () => {
    const document = read('openai-messages/cybergym_0729001_trimmed.json');
    const { storylines, issues } = importOpenaiMessages(document, { source: 'cybergym.json' });
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    expect(storylines.map((story) => [story.session, story.turns.map((turn) => turn.id)])).toEqual([
      ['cyber-b', [1, 2, 3, 4, 5]],
      ['cyber-c', [1, 2]],
    ]);
    const { value, issues: faults } = exportValue(openaiMessages, storylines);
    expect(faults).toEqual([]);
    expect(differences(normaliseOpenaiMessages(document), value ?? null)).toEqual([]);
  });

  test('tau-bench: 155 real runs as rows, 62 reused call ids, agent loops (G11, O1, O11)', () => {
    const runs = read('tau-bench/gpt-4o-airline_first-rows.json') as readonly JsonObject[];
    expect(runs).toHaveLength(155);
    const rows = runs.flatMap((run, index) =>
      rowsOfTrajectory(`run-${index}`, getOwn(run, 'traj') as readonly JsonObject[]),
    );
    const document = { session_steps: rows };
    const { storylines, issues } = importOpenaiMessages(document, { source: 'tau.json' });
    expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
    expect(storylines).toHaveLength(155);
    const calls = storylines.flatMap((story) => story.turns.flatMap((turn) => turn.tool_calls ?? []));
    expect(calls).toHaveLength(910);
    expect(issues.filter((issue) => issue.code === 'openai-msg/reused-call-id')).toHaveLength(62);
    // Every result is on the turn of the row that brought it, and answers the call before it, once.
    const results = storylines.flatMap((story) => {
      const ids = new Set(story.turns.flatMap((turn) => (turn.tool_calls ?? []).map((call) => call.tcid)));
      return story.turns.flatMap((turn) => {
        const observation = turn.observation as
          | { readonly results: readonly { readonly source_call_id: string }[] }
          | undefined;
        return (observation?.results ?? []).map((result) => ids.has(result.source_call_id));
      });
    });
    expect(results.every((known) => known)).toBe(true);
    const answered = runs.flatMap((run) => {
      const messages = getOwn(run, 'traj') as readonly JsonObject[];
      const last = messages.findLastIndex((message) => getOwn(message, 'role') === 'assistant');
      return messages.filter((message, at) => at < last && getOwn(message, 'role') === 'tool');
    });
    expect(results).toHaveLength(answered.length);
    // Agent loops need no recipe: the plain rebuild gives their rows.
    const recipes = storylines.filter(
      (story) => story.unknown_fields?.sources['openai-msg-layout'] !== undefined,
    );
    const { value, issues: faults } = exportValue(openaiMessages, storylines);
    expect(faults).toEqual([]);
    expect(differences(normaliseOpenaiMessages(document), value ?? null)).toEqual([]);
    expect(recipes.length).toBeLessThan(155);
  }, 240_000);
});
