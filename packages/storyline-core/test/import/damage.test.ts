import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { readHead } from '../../src/containers/head.ts';
import type { ImportEvent } from '../../src/import/events.ts';
import { importDocument } from '../../src/import/import-document.ts';
import type { Issue } from '../../src/issue.ts';
import { encodeText } from '../../src/json/parse.ts';
import { DOCUMENTS, ENTRIES, ROWS, testFormat } from './formats.ts';
import { chunkedSource, eventsOf } from './sources.ts';

const formats = [testFormat(DOCUMENTS), testFormat(ENTRIES), testFormat(ROWS)];
const texts = [
  '{"a":{"b":["é\\"",-1.5e3,9007199254740993]},"":[{}]}',
  '[{"a":"]\\"["},12345,"x\\\\",[]]',
  '{"a":"é"}\r\n\n{"b":[1,2]}\n{"c":tru}\n{"d":{"e":"😀"}}',
  '{"x":{"y":"}"},"attempts":{"10":{"a":1},"2":["é\\""],"😀":1},"_storyline":{"unknown_fields":{"version":1,"by_trajectory":{}}},"z":1}',
  '[{"attempts":{"a":{"b":"c"}}},{"attempts":{"d":1},"x":2}]',
  '{"a":1,"rows":[{"session":"s","step":2,"v":"é"},{"step":10,"session":"t"},{"session":"s","step":1}],"b":[2]}',
  '[{"session":"s","step":2},{"session":5,"step":"b"},{"no":1}]',
  '{"session":"s","step":2}\n{"session":"t","step":1}\n{"session":"s","step":1}',
];

/** A byte to put, by preference one that means something. */
const anyByte = fc.oneof(
  fc.constantFrom(...encodeText('{}[]",:\\\n \r0-eEtn')),
  fc.constantFrom(0, 0xef, 0xbb, 0xbf, 0xff, 0x80),
  fc.nat(255),
);

/** A text with some of its bytes replaced, taken out, put in or doubled. */
const damaged = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'insert', 'double', 'cut'), anyByte), {
      maxLength: 5,
    }),
  )
  .map(([text, edits]) => {
    let bytes = [...encodeText(text)];
    for (const [where, kind, byte] of edits) {
      const at = where % (bytes.length + 1);
      if (kind === 'cut') bytes = bytes.slice(0, at);
      else if (kind === 'double') bytes.splice(at, 0, ...bytes.slice(at, at + 20));
      else bytes.splice(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]));
    }
    return new Uint8Array(bytes);
  });

/** Every document begins, tells, and ends once; issues lie inside of the input. */
function checkOrder(events: readonly ImportEvent[], size: number): void {
  let open: number | undefined;
  let next = 0;
  for (const event of events) {
    if (event.type === 'document') {
      expect(open).toBeUndefined();
      expect(event.document.ordinal).toBe(next);
      open = next;
      next += 1;
    } else if (event.type === 'storyline') {
      expect(event.document.ordinal).toBe(open);
    } else if (event.type === 'end') {
      expect(event.document.ordinal).toBe(open);
      for (const { start, end } of event.ranges) expect(start >= 0 && start <= end && end <= size).toBe(true);
      open = undefined;
    } else if (event.type === 'issue') {
      const { offset, line, column } = event.issue.at;
      if (event.issue.code !== 'core/unknown-key') {
        expect(offset !== undefined && offset >= 0 && offset <= size).toBe(true);
        expect((line ?? 0) >= 1 && (column ?? 0) >= 1).toBe(true);
      }
    }
  }
  expect(open).toBeUndefined();
  const hasError = events.some((event) => event.type === 'issue' && event.issue.severity === 'error');
  expect(hasError || events.some((event) => event.type === 'end' && event.accepted)).toBe(true);
}

const isError = ({ severity }: Issue): boolean => severity === 'error';

describe('G7, G10: damaged input is told and never thrown', () => {
  property.prop([damaged, fc.nat({ max: 2 }), fc.integer({ min: 1, max: 40 }), fc.boolean(), fc.boolean()], {
    numRuns: 300,
  })('streamed and in memory', async (bytes, which, size, sync, salvage) => {
    const format = formats[which] ?? formats[0];
    if (format === undefined) return;
    const options = { salvage, limits: { depth: 20 } };
    const events = await eventsOf(chunkedSource(bytes, size, sync), format, options);
    checkOrder(events, bytes.length);
    expect(await eventsOf(chunkedSource(bytes, bytes.length + 1), format, options)).toStrictEqual(events);
    const { issues } = importDocument(format, bytes, options);
    const streamed = events.flatMap((event) => (event.type === 'issue' ? [event.issue] : []));
    expect(issues.some(isError)).toBe(streamed.some(isError));
    const { shape } = await readHead(chunkedSource(bytes, size));
    expect(await readHead(chunkedSource(bytes, bytes.length + 1))).toMatchObject({ shape });
  });
});
