import { bytesSource, type Json, type Source, type Storyline } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { artifactTails } from '../src/artifact/index.ts';
import { importForkline } from '../src/index.ts';
import { fixtureText } from './support/fixtures.ts';

const event = (index: number, payload: string): string =>
  `{"event_id": ${index}, "run_id": "r", "ts": "2026-02-23T01:04:21+00:00", "type": "output", "payload": ${payload}}`;

function artifact(payloads: readonly string[], more = ''): string {
  const events = payloads.map((payload, index) => event(index + 1, payload)).join(' ,\n');
  return `{"schema_version": "1.0", "run_id": "r", "events": [${events}],\n "entrypoint": "a.py", "started_at": "2026-02-23T01:04:20+00:00"${more}}\n`;
}

/** A source that hands out few bytes at a time, later. */
function slowly(text: string, step: number): Source {
  const { name, size, readSync } = bytesSource('slow', text);
  return { name, size, read: async (target, position) => readSync(target.subarray(0, step), position) };
}

const idsOf = ({ turns }: Storyline): Json => turns.map(({ id }) => id);

test('the equal beginning of two artifacts is passed over, whatever comes where', async () => {
  const payloads = Array.from(
    { length: 3_000 },
    (_, index) => `{"text": "${'x'.repeat(index % 300)} ]}\\"\\\\ ${index}", "n": [{"a": ${index}.0}]}`,
  );
  const changed = payloads.with(2_900, '{"text": "other"}');
  const whole = importForkline(artifact(changed, ', "status": "ok"')).storylines[0];
  for (const source of [bytesSource, slowly]) {
    const open = (text: string) => (source === slowly ? slowly(text, 1_001) : bytesSource('x', text));
    const tails = await artifactTails(open(artifact(payloads)), open(artifact(changed, ', "status": "ok"')), {
      context: 2,
    });
    expect(tails?.skipped).toBe(2_898);
    expect(tails && idsOf(tails.left)).toEqual(Array.from({ length: 102 }, (_, index) => 2_899 + index));
    const { turns, ...head } = tails?.right ?? { turns: [] };
    expect(head).toEqual({ ...whole, turns: undefined });
    expect(turns).toEqual(whole?.turns.slice(2_898));
  }
});

test('equal artifacts keep their last events; 1 and 1.0 differ; a longer run is a difference', async () => {
  const compare = (left: readonly string[], right: readonly string[]) =>
    artifactTails(bytesSource('a', artifact(left)), bytesSource('b', artifact(right)), { context: 1 });
  expect((await compare(['1', '2', '3'], ['1', '2', '3']))?.skipped).toBe(2);
  expect((await compare(['{"a": 1}', '1'], ['{"a": 1.0}', '1']))?.skipped).toBe(0);
  const longer = await compare(['1', '2', '3'], ['1', '2', '3', '4']);
  expect([longer?.skipped, longer?.left.turns.length, longer?.right.turns.length]).toEqual([2, 1, 2]);
  expect((await compare([], []))?.left.turns).toEqual([]);
});

test('what is no plain artifact is left to the ordinary way', async () => {
  const good = artifact(['1']);
  for (const bad of [
    '',
    '[]',
    '{',
    good.slice(0, -3),
    `${good}${good}`,
    `[${good}]`,
    good.replace('"payload": 1', '"payload": nope'),
    good.replace('"1.0"', '"x"'),
    good.replace('{"event_id"', '5, {"event_id"'),
    good.replace('"entrypoint"', '"events": [], "entrypoint"'),
  ]) {
    expect([bad, await artifactTails(bytesSource('a', good), bytesSource('b', bad))]).toEqual([
      bad,
      undefined,
    ]);
  }
});

test('damaged bytes never throw and never hang', async () => {
  const text = fixtureText('12-json-unknown-types-and-fields/artifact.json');
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length - 1),
      fc.constantFrom('', '"', '\\', '{', ']', ',', '\u0000'),
      fc.nat(50),
      async (at, put, cut) => {
        const broken = text.slice(0, at) + put + text.slice(at + cut);
        const tails = await artifactTails(bytesSource('a', broken), bytesSource('b', broken));
        const { storylines } = importForkline(broken);
        // The short way is never more lenient than the ordinary one.
        if (tails !== undefined) expect(storylines).toHaveLength(1);
      },
    ),
    { numRuns: 150 },
  );
});
