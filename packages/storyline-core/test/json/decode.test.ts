import { afterEach, describe, expect, test, vi } from 'vitest';

/** The module as it is in a browser, or in a Node that does not give out its modules. */
async function withoutNode(): Promise<typeof import('../../src/json/bytes.ts')> {
  vi.resetModules();
  vi.stubGlobal('process', undefined);
  const module = await import('../../src/json/bytes.ts');
  vi.unstubAllGlobals();
  return module;
}

afterEach(() => vi.unstubAllGlobals());

describe('G3: UTF-8 is decoded strictly, with Node and without it', () => {
  const samples = [
    '',
    'ascii',
    'x'.repeat(2000),
    'é',
    '汉字😀'.repeat(500),
    `${'x'.repeat(1000)}\ufeffé`,
    '\ufeff',
  ];
  const broken = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xbd]];
  test('the same text and the same refusals', async () => {
    const here = await import('../../src/json/bytes.ts');
    const there = await withoutNode();
    expect(there.decodeUtf8).not.toBe(here.decodeUtf8);
    for (const { decodeUtf8 } of [here, there]) {
      for (const text of samples) {
        const bytes = new TextEncoder().encode(`[${text}]`);
        expect(decodeUtf8(bytes, 1, bytes.length - 1)).toBe(text);
      }
      for (const sequence of broken) {
        for (const before of [0, 600]) {
          const bytes = new Uint8Array([...new TextEncoder().encode('é'.repeat(before)), ...sequence]);
          expect(() => decodeUtf8(bytes, 0, bytes.length)).toThrow(TypeError);
        }
      }
    }
  });
});
