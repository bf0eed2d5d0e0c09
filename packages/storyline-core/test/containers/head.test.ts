import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readHead } from '../../src/containers/head.ts';
import type { Head } from '../../src/format.ts';
import { encodeText } from '../../src/json/parse.ts';
import { JsonNumber } from '../../src/json/value.ts';
import { bytesSource } from '../../src/source/bytes.ts';
import { chunkedSource, syntheticSource } from '../import/sources.ts';

const headOf = (text: string | Uint8Array, name = 'dir/file.json') => readHead(bytesSource(name, text));
const MB = 1024 * 1024;

describe('readHead', () => {
  test.each<readonly [string, string, Pick<Head, 'shape' | 'sketch'> & { readonly count?: number }]>([
    ['one object', '{"a":1,"b":[1,2,3]}', { shape: 'document', sketch: { a: 1, b: [1] } }],
    ['a byte order mark', '\ufeff {"a":1}', { shape: 'document', sketch: { a: 1 } }],
    ['an array', '[{"a":1},{"b":2}]', { shape: 'array', sketch: { a: 1 }, count: 2 }],
    ['an empty array', '[ ]', { shape: 'array', sketch: undefined, count: 0 }],
    ['lines', '\n{"a":1}\n\n{"b":2}\n{"c":', { shape: 'lines', sketch: { a: 1 }, count: 3 }],
    [
      'an exact number',
      '{"id":9007199254740993}',
      { shape: 'document', sketch: { id: new JsonNumber('9007199254740993') } },
    ],
    [
      'levels',
      '{"1":{"2":{"3":{"4":{"5":1},"s":"x","l":[1]},"l":[[{"deep":1}]]}}}',
      { shape: 'document', sketch: { 1: { 2: { 3: { 4: {}, s: 'x', l: [] }, l: [[]] } } } },
    ],
    ['a scalar', ' 12 ', { shape: 'document', sketch: 12 }],
    ['text', 'hello world', { shape: 'text', sketch: undefined }],
    ['text that begins like a scalar', '12 monkeys', { shape: 'text', sketch: undefined }],
    ['several lines of text', '---\nformat: x\n', { shape: 'text', sketch: undefined }],
    ['nothing', '', { shape: 'empty', sketch: undefined }],
    ['blank', ' \n\t', { shape: 'empty', sketch: undefined }],
  ])('%s', async (_, text, expected) => {
    const { bytes, name, ...head } = await headOf(text);
    expect(head).toStrictEqual(expected);
    expect(name).toBe('file.json');
    expect(bytes).toStrictEqual(encodeText(text));
  });
  test('binary: a NUL, or bytes that are no UTF-8', async () => {
    expect((await headOf(new Uint8Array([0x53, 0x51, 0x4c, 0, 1]))).shape).toBe('binary');
    expect((await headOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47]))).shape).toBe('binary');
    expect((await headOf(`${'x'.repeat(4095)}é`)).shape).toBe('text');
  });
  test('of broken JSON, what stands before the break', async () => {
    expect(
      await headOf(
        '{"task_id":"t","attempts":{"1":{"trajectory":{"schema_version":"ACTF_v1.0","steps":[{"step',
      ),
    ).toMatchObject({
      shape: 'document',
      sketch: { task_id: 't', attempts: { 1: { trajectory: { schema_version: 'ACTF_v1.0', steps: [] } } } },
    });
    expect(await headOf('[{"a":1,"b"')).toMatchObject({ shape: 'array', sketch: { a: 1 } });
    expect(await headOf('{"a":')).toMatchObject({ shape: 'document', sketch: {} });
    expect(await headOf('{"a":1,"b":x}')).toMatchObject({ shape: 'document', sketch: { a: 1 } });
  });
  test('G18: one that is nested too deep on its first line is a document all the same, lines of such are lines', async () => {
    const deep = `"a":${'['.repeat(2000)}${']'.repeat(2000)}`;
    expect(await headOf(`{${deep},\n "b":1\n}\n`)).toMatchObject({ shape: 'document' });
    expect(await headOf(`{${deep}}\n{"b":1}\n`)).toMatchObject({ shape: 'lines', count: 2 });
  });
  test('long strings end after 256 characters, big maps after 1,000 keys, the root keeps all', async () => {
    const text = `{"s":"${'é\\n😀'.repeat(1000)}","m":{${Array.from({ length: 1500 }, (_, index) => `"k${index}":${index}`).join(',')}},${Array.from({ length: 1500 }, (_, index) => `"r${index}":0`).join(',')}}`;
    const sketch = (await headOf(text)).sketch as Record<string, unknown>;
    expect([...(sketch.s as string)].length).toBe(256);
    expect((sketch.s as string).startsWith('é\n😀é')).toBe(true);
    expect(Object.keys(sketch.m as object).length).toBe(1000);
    expect(Object.keys(sketch).length).toBe(1502);
  });
  test('any size of reads gives the same head', async () => {
    for (const text of [
      '\ufeff{"a":{"b":["é",{"c":"\\ud83d\\ude00"}]},"d":1e400}',
      '[{"a":"x"}, [2] ,3]',
      '{"a":1}\n{"b":"é"}\n',
      'texté',
    ]) {
      const { name, ...whole } = await headOf(text, 'file');
      expect(name).toBe('file');
      for (const size of [1, 2, 3, 7])
        expect(await readHead(chunkedSource(encodeText(text), size))).toStrictEqual({ name, ...whole });
    }
  });
  test('root keys behind hundreds of megabytes, in little memory', async () => {
    const source = syntheticSource([
      '{"attempts":{"1":{"trajectory":{"steps":["',
      { byte: 0x78, length: 600 * MB },
      '"]}}},"task_id":"t"}',
    ]);
    const before = process.memoryUsage().arrayBuffers;
    const head = await readHead(source);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MB);
    expect(head.sketch).toStrictEqual({ attempts: { 1: { trajectory: { steps: [] } } }, task_id: 't' });
  });
  test('of a long array or many lines only the first is looked at, unless they are to be counted', async () => {
    const reads = { count: 0 };
    const many = '{"a":1},'.repeat(100_000);
    const counting = (text: string) => {
      const whole = bytesSource('f', text);
      const read = (target: Uint8Array, position: number) => {
        reads.count += 1;
        return whole.readSync(target, position);
      };
      return { ...whole, read };
    };
    for (const [shape, text] of [
      ['array', `[${many}{}]`],
      ['lines', `${many.replaceAll(',', '\n')}{}`],
    ] as const) {
      reads.count = 0;
      const head = await readHead(counting(text));
      expect(head).toMatchObject({ shape, sketch: { a: 1 } });
      expect(head.count).toBeUndefined();
      expect(reads.count).toBeLessThanOrEqual(2);
      expect((await readHead(counting(text), { count: true })).count).toBe(100_001);
    }
  });
  test('lines whose first one is very long', async () => {
    const line = `{"a":"${'x'.repeat(2 * MB)}","b":1}`;
    expect(await headOf(`${line}\n{"c":1}`)).toMatchObject({ shape: 'lines', sketch: { b: 1 } });
    expect(await headOf(`${line}\n`)).toMatchObject({ shape: 'document', sketch: { b: 1 } });
    expect(await headOf(`${line.slice(0, -3)}x\n{"c":1}`)).toMatchObject({ shape: 'lines' });
  });
});

describe('the inputs of the detection cases', () => {
  const folder = new URL('../../fixtures/detect/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const shapes: Readonly<Record<string, string>> = {
    'detect-empty': 'empty',
    'detect-not-json': 'text',
    'detect-openai-array': 'array',
    'detect-bom': 'array',
    'detect-openai-jsonl': 'lines',
    'detect-storyline-jsonl': 'lines',
  };
  test.each(files)('%s', async (file) => {
    const { input, name } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
      input: { text: string; name?: string };
      name: string;
    };
    const head = await headOf(input.text, input.name ?? '');
    expect(head.shape).toBe(shapes[name] ?? 'document');
    expect(head.name).toBe(input.name);
    expect(head.sketch === undefined).toBe(head.shape === 'empty' || head.shape === 'text');
  });
});
