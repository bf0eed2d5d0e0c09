import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normaliseForkline } from '@pchronicle/format-forkline';
import { pythonJson } from '@pchronicle/format-forkline/python';
import {
  forklineWithSqlite,
  openForklineDatabase,
  writeForklineDatabase,
} from '@pchronicle/format-forkline/sqlite';
import { bytesSource, type Json, type JsonObject, type Storyline } from '@pchronicle/storyline-core';
import { openFile } from '@pchronicle/storyline-core/node';
import { afterAll, describe, expect, test } from 'vitest';
import { corpus, exact, expectEqual, root } from './support/documents.ts';
import { sourceName, throughStore, writeAll } from './support/through-store.ts';

const fixtures = join(root, 'packages/format-forkline/fixtures');
const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).sort();
const folder = mkdtempSync(join(tmpdir(), 'pchronicle-integration-forkline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows of version 0.1 have the columns of recording_v0, and are written back under that name. */
function nowadays(artifact: JsonObject): JsonObject {
  return artifact.schema_version === '0.1' ? { ...artifact, schema_version: 'recording_v0' } : artifact;
}

/** Everything a database says about its runs, with the spelling of its numbers. */
async function contents(path: string): Promise<Json> {
  const source = await openFile(path, 'database');
  const database = await openForklineDatabase(source);
  try {
    const runs = database.runs.map((run) => ({
      artifact: pythonJson(nowadays(database.artifact(run))),
      steps: database.steps(run).map(({ idx, name }) => [String(idx), String(name)]),
    }));
    return { model: database.model, runs };
  } finally {
    await database.close();
    await source.close();
  }
}

/** The runs of a database as artifacts of its own version. */
async function artifactsOf(path: string): Promise<readonly JsonObject[]> {
  const source = await openFile(path, 'database');
  const database = await openForklineDatabase(source);
  try {
    return database.runs.map((run) => database.artifact(run));
  } finally {
    await database.close();
    await source.close();
  }
}

/** Takes a database through the store: its runs come back as their normal form, and as the rows they were. Gives the number of runs. */
async function expectDatabaseBack(path: string): Promise<number> {
  const artifacts = await artifactsOf(path);
  const source = await openFile(path, 'runs.db');
  try {
    return await throughStore(forklineWithSqlite, [source], async ({ store, rejected }) => {
      expect([...rejected]).toEqual([]);
      const written = await writeAll(forklineWithSqlite, await store.collection());
      expect(written).toHaveLength(artifacts.length);
      for (const [index, artifact] of artifacts.entries())
        expectEqual(exact(written[index]?.text ?? ''), normaliseForkline(artifact), `run ${index}`);
      const stories: Storyline[] = [];
      for await (const { storyline } of store.storylines()) stories.push(storyline);
      const back = join(folder, `${path.replaceAll(/\W+/g, '-')}.back`);
      const { issues } = await writeForklineDatabase(back, stories);
      expect(issues).toEqual([]);
      expect(await contents(back)).toEqual(await contents(path));
      return artifacts.length;
    });
  } finally {
    await source.close();
  }
}

describe('G1, F3: Forkline → Storyline → Lance → Storyline → Forkline is the normal form', () => {
  test('of the artifacts among the vectors, all in one import', async () => {
    const artifacts = files
      .filter((name) => name.endsWith('.json') && !/(^|\/)(expected[^/]*|input|runs)\.json$/.test(name))
      .map((name) => readFileSync(join(fixtures, name)));
    const sources = artifacts.map((bytes, index) => bytesSource(sourceName(index), bytes));
    await throughStore(forklineWithSqlite, sources, async ({ store, issues }) => {
      const written = await writeAll(forklineWithSqlite, await store.collection());
      const texts = new Map(written.map(({ source, text }) => [source, text]));
      const refused = new Set(
        issues.filter(({ severity }) => severity === 'error').map(({ at }) => at.source),
      );
      // Each one is either there or has an error that says why not.
      expect(texts.size + refused.size).toBe(artifacts.length);
      expect(texts.size).toBeGreaterThan(30);
      for (const [index, bytes] of artifacts.entries()) {
        const text = texts.get(sourceName(index));
        expect(text === undefined, sourceName(index)).toBe(refused.has(sourceName(index)));
        if (text !== undefined) expectEqual(exact(text), normaliseForkline(exact(bytes)), sourceName(index));
      }
    });
  });

  const databases = files.filter((name) => /(^|\/)(runs|forkline)\.db$/.test(name));

  test.each(databases)('of the database %s, and its rows', async (name) => {
    expect(await expectDatabaseBack(join(fixtures, name))).toBeGreaterThan(0);
  });

  test.skipIf(!corpus)('of the database that Forkline wrote, and its rows', async () => {
    expect(await expectDatabaseBack(join(corpus ?? '', 'forkline/runs.db'))).toBeGreaterThan(0);
  });
});
