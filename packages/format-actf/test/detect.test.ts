import { bytesSource, type Json, readHead, stringify } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import { actf } from '../src/index.ts';
import { casesOf, object } from './support/cases.ts';
import { attempt, events, step, steps, task } from './support/documents.ts';

async function detect(text: string, name = 'input'): Promise<string> {
  return actf.detect(await readHead(bytesSource(name, text))).confidence;
}

describe('detection cases', () => {
  test.each(casesOf('detect'))('$name', async ({ input, expected }) => {
    const { text, name } = object(input);
    const { format } = object(expected);
    const confidence = await detect(String(text), name === undefined ? undefined : String(name));
    // Content beats the name: another format's `yes` beats the `maybe` that a name gives.
    if (format === 'actf') expect(confidence).toBe(name === undefined ? 'yes' : 'maybe');
    else expect(confidence).toBe(name === undefined ? 'no' : 'maybe');
  });
});

describe('what counts', () => {
  const document = task({
    '1': attempt([step(1)]),
    '2': { correct: false, trajectory: [{ type: 'session' }] },
  });
  test.each<[string, string, string]>([
    ['a document', stringify(document), 'yes'],
    ['an array of documents', stringify([document, document]), 'yes'],
    ['lines of documents', `${stringify(document)}\n${stringify(document)}\n`, 'yes'],
    ['an event array alone', stringify(events({ type: 'session' })), 'yes'],
    ['an empty event array', stringify(events()), 'yes'],
    ['events that are no objects', stringify(events('x')), 'maybe'],
    ['one attempt of several that is broken', stringify(task({ '1': attempt([step(1)]), '2': 5 })), 'maybe'],
    [
      'no task_id',
      stringify({ ...document, task_id: undefined } as unknown as Json).replace('"task_id":undefined,', ''),
      'no',
    ],
    ['no attempts', stringify(task({})), 'no'],
    [
      'root fields after the attempts',
      stringify({ attempts: steps(step(1)).attempts ?? null, task_id: 't' }),
      'yes',
    ],
  ])('%s: %s → %s', async (_, text, confidence) => {
    expect(await detect(text)).toBe(confidence);
  });

  test('A13: the file name alone is a hint, whatever its container', async () => {
    expect(await detect('{}', 'run.actf.json')).toBe('maybe');
    expect(await detect('{"a":1}\n{"a":2}\n', 'run.actf.jsonl')).toBe('maybe');
    expect(await detect('hello', 'run.actf.json')).toBe('no');
  });
});
