import { readdirSync } from 'node:fs';
import { equalJson, type Json, type JsonObject, parseJson, stringify } from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forklineExportText, loadArtifact } from '../src/artifact/index.ts';
import { exportForkline, importForkline, normaliseForkline } from '../src/index.ts';
import { artifactText } from './support/artifact-text.ts';
import { fixturePath, fixtureText } from './support/fixtures.ts';

/** Reads exactly, as the format's own driver does. */
function exact(text: string): Json {
  const { value, issues } = parseJson(text, { keepFloats: true, nonFinite: 'keep' });
  if (value === undefined) throw new Error(JSON.stringify(issues));
  return value;
}

/** Imports and exports; gives the document that came back, or undefined when it was rejected. */
function roundTrip(text: string): Json | undefined {
  const { storylines, issues } = importForkline(text);
  if (storylines.length === 0) {
    expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
    return undefined;
  }
  const exported = exportForkline(storylines);
  expect(exported.issues).toEqual([]);
  return exact(exported.text);
}

function expectLaw(text: string): void {
  const back = roundTrip(text);
  if (back === undefined) return;
  const normal = normaliseForkline(exact(text));
  if (!equalJson(back, normal)) expect(stringify(back, { indent: 1 })).toBe(stringify(normal, { indent: 1 }));
  expect(equalJson(normaliseForkline(normal), normal)).toBe(true);
}

const folders = readdirSync(fixturePath('.')).filter((name) => !name.includes('.'));
const files = folders.flatMap((folder) =>
  readdirSync(fixturePath(folder))
    .filter((name) => name.endsWith('.json') && !/^(expected.*|input|runs)\.json$/.test(name))
    .map((name) => `${folder}/${name}`),
);

describe('F2, G1: every artifact of the vectors that loads comes back as its normal form', () => {
  test.each(files)('%s', (file) => {
    expectLaw(fixtureText(file));
  });

  test('most of them load', () => {
    const loaded = files.filter((file) => importForkline(fixtureText(file)).storylines.length === 1);
    console.log(`vectors: ${loaded.length} of ${files.length} artifacts load strictly`);
    expect([loaded.length, files.length]).toEqual([36, 55]);
  });
});

test('F2, G1, G2, G3, G4: hostile artifacts come back as their normal form, or are rejected with an error', () => {
  let accepted = 0;
  let total = 0;
  fc.assert(
    fc.property(artifactText, (source) => {
      total += 1;
      if (importForkline(source).storylines.length === 1) accepted += 1;
      expectLaw(source);
    }),
    { numRuns: 400 },
  );
  console.log(`round trip: ${accepted} of ${total} generated artifacts accepted`);
  expect(accepted / total).toBeGreaterThan(0.3);
});

test('F1: NaN tokens are tagged exact values, strict JSON by default, bare again with compat', () => {
  const source = fixtureText('18-json-malformed/bare-nan.json');
  const { storylines, issues } = importForkline(source);
  expect(issues.map(({ code }) => code)).toContain('forkline/non-finite-number');
  const strict = JSON.parse(exportForkline(storylines).text) as { events: { payload: Json }[] };
  expect(strict.events[0]?.payload).toEqual({
    x: { $nonfinite: 'NaN' },
    y: Number.POSITIVE_INFINITY,
    z: { $nonfinite: '-Infinity' },
  });
  expect(exportForkline(storylines).text).toContain('"y":1e999');
  const compat = exportForkline(storylines, { compat: true }).text;
  expect(compat).toContain('"x": NaN');
  expect(compat).toContain('"y": Infinity');
  const again = importForkline(exportForkline(storylines).text);
  expect(exportForkline(again.storylines, { compat: true }).text).toBe(compat);
});

test('F4: wrong root types are rejected; compat loads them with placeholder and residual', () => {
  const source = fixtureText('18-json-malformed/types-wrong.json');
  const strict = importForkline(source);
  expect(strict.storylines).toEqual([]);
  expect(
    strict.issues.filter(({ code }) => code === 'forkline/wrong-field-type').map(({ at }) => at.pointer),
  ).toEqual(['/run_id', '/entrypoint', '/started_at', '/status']);
  const { storylines } = importForkline(source, { compat: true });
  expect(storylines[0]?.session).toBe('unnamed-run');
  expect(storylines[0]?.unknown_fields?.sources.forkline?.fields).toMatchObject({
    '/run_id': 5,
    '/entrypoint': ['x'],
    '/status': { a: 1 },
  });
  const loaded = loadArtifact(source, { compat: true }).artifact as JsonObject;
  const back = exact(exportForkline(storylines, { compat: true }).text);
  expect(equalJson(back, loaded)).toBe(true);
});

test('F1, F4: with compat, what comes back is byte for byte what Forkline exports, for hostile artifacts too', () => {
  let compared = 0;
  fc.assert(
    fc.property(artifactText, (source) => {
      const loaded = loadArtifact(source, { compat: true });
      const wanted =
        loaded.artifact === undefined
          ? undefined
          : forklineExportText(loaded.artifact, () => undefined, { compat: true });
      const { storylines } = importForkline(source, { compat: true });
      if (wanted === undefined || storylines.length === 0) return;
      compared += 1;
      const { text } = exportForkline(storylines, { compat: true });
      expect(text).toBe(wanted);
    }),
    { numRuns: 300 },
  );
  console.log(`compat: ${compared} of 300 generated artifacts compared byte for byte`);
  expect(compared).toBeGreaterThan(100);
});
