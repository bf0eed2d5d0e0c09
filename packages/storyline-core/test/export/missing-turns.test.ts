import { missingTurns, type Turn } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';

const turn = (id: number, src: string, msg: string, more: Partial<Turn> = {}): Turn => ({
  id,
  src,
  msg,
  ...more,
});

test('turns that stand at their places are compared there', () => {
  const turns = [turn(1, 'user', 'q'), turn(2, 'agent', 'a', { reason: 'x', effort: 'high' })];
  expect(missingTurns(turns, [turn(1, 'user', 'q'), turn(2, 'agent', 'b', { reason: 'x' })])).toEqual({
    missing: [
      expect.objectContaining({ pointer: '/turns/1/msg', pattern: '/turns/*/msg' }),
      expect.objectContaining({ pointer: '/turns/1/effort', pattern: '/turns/*/effort' }),
    ],
  });
});

test('turns that moved are found again by what they say, in order', () => {
  const turns = [
    turn(1, 'agent', 'a'),
    turn(2, 'agent', 'b', { effort: 'low' }),
    turn(3, 'agent', 'a'),
    turn(4, 'agent', 'z'),
  ];
  const reread = [
    turn(1, 'user', 'p'),
    turn(2, 'agent', 'a'),
    turn(3, 'user', 'p'),
    turn(4, 'agent', 'b'),
    turn(6, 'agent', 'a'),
  ];
  expect(missingTurns(turns, reread)).toEqual({
    missing: [
      { pointer: '/turns/1/effort', pattern: '/turns/*/effort' },
      { pointer: '/turns/3', pattern: '/turns/*' },
    ],
    moved: 3,
  });
});
