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
  [
    '<tool_call>{"name":"write","arguments":{"text":"use <tool_call> here"}}</tool_call>',
    [{ name: 'write', args: { text: 'use <tool_call> here' } }],
  ],
  [
    '<tool_call>{"name":"write","arguments":{"text":"ends with \\"</tool_call>\\" }tag"}}</tool_call>',
    [{ name: 'write', args: { text: 'ends with "</tool_call>" }tag' } }],
  ],
  [
    '<tool_call>\n<function=write_file>\n<parameter=content>\nprint("<function=foo>")\n</parameter>\n<parameter=path>\na.py\n</parameter>\n</function>\n</tool_call>',
    [{ name: 'write_file', args: { content: 'print("<function=foo>")', path: 'a.py' } }],
  ],
  [
    '<function=write_file><parameter=content>see <tool_call>x</tool_call></parameter></function>',
    [{ name: 'write_file', args: { content: 'see <tool_call>x</tool_call>' } }],
  ],
  [
    '<tool_call>[{"name":"f","arguments":{"x":1}},{"name":"g","arguments":{}}]</tool_call>',
    [
      { name: 'f', args: { x: 1 } },
      { name: 'g', args: {} },
    ],
  ],
  ['<tool_call>"x"</tool_call>', []],
  ['<tool_call>\n```json\n{"name":"f"}\n```\n</tool_call>', [{ name: 'f', args: {} }]],
  [
    '<tool_call>\n{"name":"f","arguments":{"a":[{}]}}\n{"name":"g"}\n</tool_call>',
    [
      { name: 'f', args: { a: [{}] } },
      { name: 'g', args: {} },
    ],
  ],
  [
    '<tool_call>{"name":"f"}</tool_call><function=g></function>',
    [
      { name: 'f', args: {} },
      { name: 'g', args: {} },
    ],
  ],
  [
    '<tool_call>{"name":"f</tool_call><tool_call>{"name":"g"}</tool_call><tool_call>{1}',
    [{ name: 'g', args: {} }],
  ],
  [
    '<function=f><parameter=a>1</function><function=g></function>',
    [
      { name: 'f', args: { a: '1' } },
      { name: 'g', args: {} },
    ],
  ],
])('O4: the calls that %j spells', (text, calls) => {
  expect(callsInText(text)).toEqual(calls);
});

// Quadratic work would take longer than a test may.
test.each([
  ['<tool_call><function=<parameter=', 0],
  ['<tool_call>{', 0],
  ['<tool_call>{"a', 0],
  ['<function=f><parameter=a></function>', 50_000],
  ['<function=f><parameter=', 1],
  ['<tool_call>   ', 0],
  ['<function=f> ', 50_000],
])(
  'O4: a text of fifty thousand %j is read to its end',
  (marks, calls) => {
    expect(callsInText(marks.repeat(50_000)).length).toBe(calls);
  },
  30_000,
);
