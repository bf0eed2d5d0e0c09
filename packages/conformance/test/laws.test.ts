import type { AnyFormat, Json, Reader, Report, Storyline, Writer } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
// The format that new ones are made from keeps every law; each test below breaks one thing of it, and the law must see that.
import { example, normaliseExample } from '../../../templates/format/src/index.ts';
import { checkFormat, lawsOf, type Material } from '../src/index.ts';

const message = (id: number, text: Json): Json => ({
  id,
  from: 'user',
  text,
  at: null,
  mood: { '/': [1, 2] },
});
const material: Material = {
  samples: [
    {
      name: 'one message',
      document: { conversation: 'c', agent: 'a', messages: [message(1, 'Hi')], 'a/b': 1 },
    },
    {
      name: 'two messages',
      document: {
        conversation: 'd',
        agent: 'a',
        messages: [message(1, { deep: [null] }), message(2, '你好')],
      },
    },
  ],
  normalise: normaliseExample,
  numRuns: 60,
  seed: 11,
};

const format: AnyFormat = example as AnyFormat;
const reader = format.reader as Reader<unknown, unknown>;
const writer = format.writer as Writer<unknown>;
const withReader = (changes: Partial<Reader<unknown, unknown>>): AnyFormat => ({
  ...format,
  reader: { ...reader, ...changes },
});
const withWriter = (changes: Partial<Writer<unknown>>): AnyFormat => ({
  ...format,
  writer: { ...writer, ...changes },
});

/** A reader whose Storylines are changed on the way out. */
const reading = (change: (storyline: Storyline) => Storyline): AnyFormat =>
  withReader({
    *toStorylines(part, report) {
      for (const storyline of reader.toStorylines(part, report)) yield change(storyline);
    },
  });

/** A reader that first looks at the raw value of a record. */
const looking = (look: (value: Json, report: Report) => void): AnyFormat =>
  withReader({
    decode(record, report) {
      const values = [...record.values()];
      for (const { value } of values) look(value, report);
      return reader.decode({ ...record, values: () => values }, report);
    },
  });

async function brokenLaws(broken: AnyFormat, other: Partial<Material> = {}): Promise<string> {
  const verdict = await checkFormat(broken, { ...material, ...other });
  return verdict.broken.map(({ law, error }) => `${law}: ${error.message}`).join('\n');
}

test('a format that keeps every law breaks none', async () => {
  const { kept, broken } = await checkFormat(format, material);
  expect(broken).toEqual([]);
  expect(kept).toEqual(lawsOf(format, material).map((law) => law.name));
  expect(kept.length).toBeGreaterThanOrEqual(20);
});

test('laws about reading are not asked of a format without reader, nor those about writing of one without writer', () => {
  const { reader: _, ...onlyWriter } = format;
  const { writer: __, ...onlyReader } = format;
  expect(lawsOf(onlyWriter, material).length).toBeLessThan(lawsOf(onlyReader, material).length);
  expect(lawsOf(onlyReader, material).length).toBeLessThan(lawsOf(format, material).length);
});

describe('each law can be broken', () => {
  test('by an id that is not kebab-case', async () => {
    expect(await brokenLaws({ ...format, id: 'Example Format' })).toMatch(/declares ids.*not kebab-case/s);
  });

  test('by a round trip promised without a normalise function', async () => {
    const { normalise: _, ...without } = material;
    const { broken } = await checkFormat(format, without);
    expect(broken.map(({ law }) => law)).toEqual([expect.stringMatching(/^keeps what its fidelity says/)]);
  });

  test('by a detection that misses its own documents, claims anything, or throws', async () => {
    expect(await brokenLaws({ ...format, detect: () => ({ confidence: 'no', why: 'never' }) })).toMatch(
      /recognises its own documents/,
    );
    expect(await brokenLaws({ ...format, detect: () => ({ confidence: 'yes', why: 'always' }) })).toMatch(
      /has an opinion.*claims the bytes/s,
    );
    const throws = {
      ...format,
      detect: (head: { sketch: unknown }) => ({
        confidence: 'yes' as const,
        why: (head.sketch as { x: { y: string } }).x.y,
      }),
    };
    expect(await brokenLaws(throws as AnyFormat)).toMatch(/has an opinion/);
  });

  test('by a reader that throws on what it did not expect', async () => {
    const trusting = looking((value) => {
      for (const { text } of (value as { messages: { text: Json }[] }).messages) String(text).trim();
    });
    expect(await brokenLaws(trusting)).toMatch(/answers any JSON.*the reader has a bug/s);
  });

  test('by a rejection without a reason', async () => {
    const silent = withReader({
      decode: (record, report) =>
        reader.decode(record, (severity, ...rest) =>
          severity === 'error' ? undefined : report(severity, ...rest),
        ),
    });
    expect(await brokenLaws(silent)).toMatch(/answers any JSON/);
  });

  test('by an issue whose code, message or pointer is no good', async () => {
    const reporting = (code: `${string}/${string}`, pointer: string, text: string): AnyFormat =>
      looking((_, report) => report('warning', code, pointer, text));
    expect(await brokenLaws(reporting('Example/Bad', '', 'a sentence for a person'))).toMatch(
      /not package\/kebab-case/,
    );
    expect(await brokenLaws(reporting('example/bad', '', 'bad'))).toMatch(/no sentence/);
    expect(await brokenLaws(reporting('example/bad', 'conversation', 'a sentence for a person'))).toMatch(
      /no RFC 6901 pointer/,
    );
    expect(
      await brokenLaws(reporting('example/bad', '/messages/99/text', 'a sentence for a person')),
    ).toMatch(/leads nowhere/);
  });

  test('by a reader that writes into a prototype', async () => {
    const polluting = looking((value) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return;
      Object.defineProperty(Object.getPrototypeOf({}), 'polluted', {
        value: 1,
        writable: true,
        configurable: true,
      });
    });
    try {
      expect(await brokenLaws(polluting)).toMatch(/never writes into a prototype: a prototype has changed/);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });

  test('by a reader that drops what it does not know', async () => {
    const dropping = reading(({ unknown_fields: _, unknown_key_counts: __, ...rest }) => rest);
    expect(await brokenLaws(dropping)).toMatch(
      /export\(import\(d\)\) is normalise\(d\), for its own documents.*"\/a~1b": expected 1, found nothing/s,
    );
  });

  test('by a reader that respells a value', async () => {
    const shouting = reading((storyline) => ({ ...storyline, session: storyline.session.toUpperCase() }));
    expect(await brokenLaws(shouting)).toMatch(/"\/conversation": expected "c", found "C"/);
  });

  test('by a normalise that rewrites what is not written, is not idempotent, or writes into its input', async () => {
    expect(
      await brokenLaws(format, { normalise: (document) => ({ ...(document as object), extra: 1 }) }),
    ).toMatch(/"\/extra": expected 1, found nothing/);
    const growing = (document: Json): Json => ({
      ...(normaliseExample(document) as object),
      n: [(document as { n?: Json }).n ?? null],
    });
    expect(await brokenLaws(format, { normalise: growing })).toMatch(/normalise is idempotent/);
    const writing = (document: Json): Json => Object.assign(document as object, { touched: 1 }) as Json;
    expect(await brokenLaws(format, { normalise: writing })).toMatch(
      /normalise is idempotent.*not extensible/s,
    );
  });

  test('by a writer that refuses, or writes something else', async () => {
    const refusing = withWriter({
      write(_storyline, _frame, report) {
        report('error', 'example/no', '', 'it does not want to');
        return undefined;
      },
    });
    expect(await brokenLaws(refusing)).toMatch(/cannot be written/);
    const constant = withWriter({
      write: () => [{ value: { conversation: 'x', agent: 'a', messages: [] } }],
    });
    expect(await brokenLaws(constant)).toMatch(/export\(import\(d\)\) is not normalise\(d\)/);
  });

  test('by a writer that writes into its input', async () => {
    const writing = withWriter({
      write(storyline, frame, report) {
        (storyline as { notes?: string }).notes = 'seen';
        return writer.write(storyline, frame, report);
      },
    });
    expect(await brokenLaws(writing)).toMatch(/not extensible/);
  });

  test('by a loss that is not reported, one that is none, and one that its fidelity rules out', async () => {
    const filtered = (keep: (pointer: string) => boolean): AnyFormat =>
      withWriter({
        write: (storyline, frame, report) =>
          writer.write(storyline, frame, (severity, code, pointer, text) =>
            keep(pointer) ? report(severity, code, pointer, text) : undefined,
          ),
      });
    expect(await brokenLaws(filtered((pointer) => !pointer.startsWith('/notes')))).toMatch(
      /"\/notes" does not come back, and no loss names it/,
    );

    const crying = withWriter({
      write(storyline, frame, report) {
        report('loss', 'example/lost', '/session', 'the session is lost, or is it?');
        return writer.write(storyline, frame, report);
      },
    });
    const found = await brokenLaws(crying);
    expect(found).toMatch(/names "\/session" \("[^\n]*"\), which comes back as it was/);
    expect(found).toMatch(/names "\/session", which fidelity\.expresses promises/);
  });

  test('by a stream that gives something else than memory, and a container that is only named', async () => {
    let calls = 0;
    const moody = reading((storyline) => {
      calls += 1;
      return { ...storyline, notes: String(calls) };
    });
    expect(await brokenLaws(moody)).toMatch(/reads the same from a stream/);
  });
});
