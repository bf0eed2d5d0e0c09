import { readdirSync, statSync } from 'node:fs';
import { importStorylines, type Storyline, stringify } from '@pchronicle/storyline-core';
import { openFile } from '@pchronicle/storyline-core/node';
import { describe, expect, test } from 'vitest';
import { importForkline } from '../src/index.ts';
import { forklineWithSqlite } from '../src/sqlite/index.ts';
import { fixturePath, fixtureText } from './support/fixtures.ts';

const encoder = new TextEncoder();

/** Bytes of residuals and layout (storyline-v1 §8): ids, pointers, and values as compact JSON. */
function unknownBytes(storylines: readonly Storyline[]): number {
  let bytes = 0;
  for (const { unknown_fields } of storylines) {
    for (const { source_document_id, fields } of Object.values(unknown_fields?.sources ?? {})) {
      bytes += encoder.encode(source_document_id).length;
      for (const [pointer, value] of Object.entries(fields)) {
        bytes += encoder.encode(pointer).length + encoder.encode(stringify(value)).length;
      }
    }
  }
  return bytes;
}

async function readDatabase(path: string): Promise<readonly Storyline[]> {
  const source = await openFile(path);
  const storylines: Storyline[] = [];
  for await (const event of importStorylines(source, forklineWithSqlite)) {
    if (event.type === 'storyline') storylines.push(event.storyline);
  }
  await source.close();
  return storylines;
}

const corpus = process.env.PCHRONICLE_CORPUS;

describe('residual and layout bytes stay under 10 % of the source', () => {
  const databases = readdirSync(fixturePath('.'))
    .filter((folder) => /^\d\d-/.test(folder))
    .flatMap((folder) =>
      readdirSync(fixturePath(folder))
        .filter((name) => name.endsWith('.db'))
        .map((name) => `${folder}/${name}`),
    );

  test.each(databases)('%s', async (file) => {
    const bytes = unknownBytes(await readDatabase(fixturePath(file)));
    const share = bytes / statSync(fixturePath(file)).size;
    console.log(`${file}: ${bytes} bytes, ${(share * 100).toFixed(2)} %`);
    expect(share).toBeLessThan(0.1);
  });

  test('artifacts of the vectors, by vector', () => {
    const folders = [
      '07-db-recorder-recording_v0',
      '10-db-tracer-recording_v0',
      '11-db-tracer-1.0',
      '12-json-unknown-types-and-fields',
      '13-json-schema-version-missing',
      '16-migrate-recording_v0-json',
      '18-json-malformed',
    ];
    for (const folder of folders) {
      let bytes = 0;
      let source = 0;
      for (const name of readdirSync(fixturePath(folder))) {
        if (!name.endsWith('.json') || name.startsWith('expected')) continue;
        const text = fixtureText(`${folder}/${name}`);
        const { storylines } = importForkline(text);
        if (storylines.length === 0) continue;
        bytes += unknownBytes(storylines);
        source += encoder.encode(text).length;
      }
      if (source === 0) continue;
      console.log(`${folder}: ${bytes} of ${source} bytes, ${((bytes / source) * 100).toFixed(2)} %`);
      expect([folder, bytes / source < 0.1]).toEqual([folder, true]);
    }
  });

  test.skipIf(corpus === undefined)('corpus/forkline/runs.db', async () => {
    const path = `${corpus}/forkline/runs.db`;
    const storylines = await readDatabase(path);
    expect(storylines).toHaveLength(1);
    const bytes = unknownBytes(storylines);
    console.log(`corpus: ${bytes} of ${statSync(path).size} bytes`);
    expect(bytes / statSync(path).size).toBeLessThan(0.1);
  });
});
