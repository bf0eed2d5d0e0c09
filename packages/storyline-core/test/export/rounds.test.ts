import { describe, expect, test } from 'vitest';
import { roundsOf } from '../../src/export/join-rounds.ts';
import { showStory } from '../../src/export/show-story.ts';
import type { DrivenFormat } from '../../src/format.ts';
import { collectIssues } from '../../src/issue.ts';
import type { Storyline, Turn } from '../../src/storyline.ts';

const output = (row: string, turn: Partial<Turn>): Turn => ({
  id: 0,
  src: 'agent',
  msg: null,
  env: { request_id: row, state: { previous: null, status: 'complete', side: 'output', item: 0 } },
  ...turn,
});
const story = (turns: readonly Turn[]): Storyline => ({
  schema_version: 'storyline/v1',
  session: 's',
  agent: { id: 'a' },
  turns: turns.map((turn, index) => ({ ...turn, id: index + 1 })),
});
const call = (tcid: string) => ({ tcid, fn: 'f', args: {} });
const rounds = (turns: readonly Turn[]) => roundsOf(story(turns)).map(({ turn }) => turn);

describe('what a model puts out in one round', () => {
  test('is one turn: reasoning, texts as parts, all calls', () => {
    const [only, ...others] = rounds([
      output('r', { reason: 'two' }),
      output('r', { msg: 'a', metrics: { n: 1 } }),
      output('r', { tool_calls: [call('x')] }),
      output('r', { reason: 'more', msg: [{ type: 'output_text', text: 'b' }] }),
      output('r', { tool_calls: [call('y')] }),
    ]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      id: 1,
      msg: [
        { type: 'text', text: 'a' },
        { type: 'output_text', text: 'b' },
      ],
      reason: 'two\n\nmore',
      metrics: { n: 1 },
      tool_calls: [call('x'), call('y')],
    });
  });

  test('a single text stays as it is, and a turn alone is the same object', () => {
    const [first, second] = rounds([output('r', { msg: 'a' }), output('r', { tool_calls: [call('x')] })]);
    expect([first?.msg, second]).toEqual(['a', undefined]);
    const alone = story([output('r', { msg: 'a' })]);
    expect(roundsOf(alone)[0]?.turn).toBe(alone.turns[0]);
  });

  test('ends at another row, at input, at copied context, and behind results', () => {
    const { id: _, ...first } = output('r', { msg: 'a' });
    for (const between of [
      output('q', { msg: 'b' }),
      { ...first, id: 0, src: 'tool' },
      { ...first, id: 0, copied: true },
      { id: 0, src: 'user', msg: 'b' },
      { ...first, id: 0, observation: { results: [] } },
    ]) {
      const found = rounds([output('r', { msg: 'a' }), between as Turn, output('r', { msg: 'c' })]);
      expect(found.at(-1)?.msg).toBe('c');
    }
  });

  test('goes on behind what projects to nothing', () => {
    const found = rounds([
      output('r', { msg: 'a' }),
      output('r', { src: 'system', kind: 'internal' }),
      output('r', { msg: 'b' }),
    ]);
    expect(found.map(({ kind, msg }) => [kind, msg])).toEqual([
      [
        undefined,
        [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      ],
      ['internal', null],
    ]);
  });

  test('is shown to a format that wants it, whose pointers are led back to the turns of the Storyline', () => {
    const whole = story([
      { id: 0, src: 'user', msg: 'q' },
      output('r', { msg: 'a' }),
      output('r', { tool_calls: [call('x')], latency_ms: 5 }),
      { id: 0, src: 'user', msg: 'q2' },
    ]);
    const { report, issues } = collectIssues();
    const format = { branches: true, rounds: true } as unknown as DrivenFormat;
    const told = showStory(format, whole, report);
    expect(told.shown.turns.map(({ msg, tool_calls }) => [msg, tool_calls?.length])).toEqual([
      ['q', undefined],
      ['a', 1],
      ['q2', undefined],
    ]);
    told.report('loss', 'core/not-expressible', '/turns/2/msg', '/turns/2/msg does not come back');
    expect(issues.map(({ code, message, at }) => [code, at.pointer, message.split(' ')[0]])).toEqual([
      ['core/round-joined', '/turns/2/id', '/turns/2/id'],
      ['core/not-expressible', '/turns/3/msg', '/turns/3/msg'],
    ]);
    expect(showStory({ branches: true } as unknown as DrivenFormat, whole, report).shown).toBe(whole);
  });
});
