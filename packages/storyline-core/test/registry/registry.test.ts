import {
  createRegistry,
  type Detection,
  type Format,
  type Head,
  storylineFormat,
} from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';

function format(
  id: string,
  aliases: readonly string[] = [],
  confidence: Detection['confidence'] = 'no',
): Format {
  return {
    id,
    aliases,
    title: id,
    extensions: ['.json'],
    containers: [{ kind: 'document', outer: 'document' }],
    fidelity: { roundTrip: 'none', expresses: [] },
    detect: () => ({ confidence, why: `${id} says ${confidence}` }),
  };
}

const head: Head = { bytes: new Uint8Array(), shape: 'empty', sketch: undefined };

describe('registry', () => {
  const registry = createRegistry([
    format('actf'),
    format('openai-msg', ['openai-messages']),
    format('forkline'),
    format('ankole'),
    storylineFormat,
  ]);

  test('finds formats by id and alias', () => {
    expect(registry.get('actf')?.id).toBe('actf');
    expect(registry.get('openai-messages')?.id).toBe('openai-msg');
    for (const name of ['', 'ACTF', 'constructor', '__proto__']) expect(registry.get(name)).toBeUndefined();
  });

  test.each([
    ['acft', 'actf'],
    ['ACTF', 'actf'],
    ['openai', 'openai-msg'],
    ['openai-message', 'openai-messages'],
    ['opneai-messages', 'openai-messages'],
    ['storylines', 'storyline'],
    ['forkln', 'forkline'],
    ['anakole', 'ankole'],
    ['xml', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('the name nearest to %s is %s', (name, nearest) => {
    expect(registry.nearest(name)).toBe(nearest);
  });

  test('two formats with one name are a mistake of the composer', () => {
    expect(() => createRegistry([format('a'), format('b', ['a'])])).toThrow('both claim the name a');
  });

  test('yes beats maybe, two yes are both told, none is none', () => {
    const answers = (...confidences: Detection['confidence'][]): string[] =>
      createRegistry(confidences.map((confidence, index) => format(`f${index}`, [], confidence)))
        .detect(head)
        .map((detection) => `${detection.format.id} ${detection.why}`);
    expect(answers('maybe', 'yes', 'no')).toEqual(['f1 f1 says yes']);
    expect(answers('yes', 'maybe', 'yes')).toEqual(['f0 f0 says yes', 'f2 f2 says yes']);
    expect(answers('maybe', 'no', 'maybe')).toEqual(['f0 f0 says maybe', 'f2 f2 says maybe']);
    expect(answers('no', 'no')).toEqual([]);
    expect(createRegistry([]).detect(head)).toEqual([]);
  });
});
