import { callsInText } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';

test.each([
  ['nothing', []],
  ['<tool_call>f\n<parameter=a>1</parameter></tool_call>', [{ name: 'f', args: { a: '1' } }]],
  [
    '<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>',
    [{ name: 'f', args: { a: 'x' } }],
  ],
  [
    '<tool_call>{"name":"f","arguments":"{\\"n\\":9007199254740993}"}</tool_call>',
    [{ name: 'f', args: { n: expect.objectContaining({ raw: '9007199254740993' }) } }],
  ],
  [
    '<function=f></function> and <function=g><parameter=a>1',
    [
      { name: 'f', args: {} },
      { name: 'g', args: { a: '1' } },
    ],
  ],
  ['<tool_call></tool_call>', []],
])('O4: the calls that %j spells', (text, calls) => {
  expect(callsInText(text)).toEqual(calls);
});

test('O4: a text of nothing but marks takes linear time', () => {
  const started = performance.now();
  callsInText('<tool_call><function=<parameter='.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
