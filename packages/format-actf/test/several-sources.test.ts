import { exportDocuments, parseJson, storyCollection } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { actf, importActf } from '../src/index.ts';

const step = (content: string) => ({
  step_id: 1,
  assistant_content: { content },
  metric: {},
  started_at: '2026-08-01T00:00:00Z',
  finished_at: '2026-08-01T00:00:01Z',
});
const attempt = (content: string) => ({
  correct: true,
  trajectory: {
    schema_version: 'ACTF_v1.0',
    started_at: '2026-08-01T00:00:00Z',
    finished_at: '2026-08-01T00:00:01Z',
    steps: [step(content)],
  },
});
const document = (content: string, more: object = {}) => ({
  task_id: 'one-task',
  category: 'c',
  k: 1,
  correct: true,
  attempts_tried: 1,
  attempts: { '1': attempt(content) },
  ...more,
});

describe('A10: one task in two source documents', () => {
  test('gives two documents again where the sources are known', async () => {
    const storylines = ['model A', 'model B'].flatMap(
      (content) => importActf(JSON.stringify(document(content))).storylines,
    );
    const stories = { ...storyCollection(storylines), sourceOf: (index: number) => `${index}` };
    const contents: unknown[] = [];
    for await (const written of exportDocuments(actf, stories)) {
      let text = '';
      for await (const piece of written.text()) text += piece;
      const { value } = parseJson(text);
      contents.push(
        (value as ReturnType<typeof document>).attempts['1'].trajectory.steps[0]?.assistant_content.content,
      );
    }
    expect(contents).toEqual(['model A', 'model B']);
  });
});

describe('G19: sources that the format restores itself', () => {
  test('are refused in the envelope', () => {
    const block = {
      sources: { 'actf-layout': { source_document_id: 'one-task', fields: { '/attempts/1': 1 } } },
    };
    const envelope = { unknown_fields: { version: 1, by_trajectory: { '/attempts/1': block } } };
    const { storylines, issues } = importActf(JSON.stringify(document('x', { _storyline: envelope })));
    expect(storylines).toEqual([]);
    expect(issues.map(({ code, at }) => [code, at.pointer])).toEqual([
      [
        'storyline/envelope-own-source',
        '/_storyline/unknown_fields/by_trajectory/~1attempts~11/sources/actf-layout',
      ],
    ]);
  });
});
