import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@pchronicle/store-lance';
import {
  type AnyFormat,
  bytesSource,
  type ExportOptions,
  exportDocuments,
  getOwn,
  type ImportEvent,
  type Issue,
  importStorylines,
  isJsonArray,
  isJsonObject,
  type Json,
  joinDocuments,
  type MutableJsonObject,
  type Source,
  type StoryCollection,
  type Storyline,
  setOwn,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import { expect } from 'vitest';
import { expectEqual } from './documents.ts';

/** A store in a temporary folder that was filled by one import. */
export interface Filled {
  readonly store: Store;
  /** The Storylines that the reader gave and the import accepted, in order. */
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
  /** Names of the sources that have an error. */
  readonly rejected: ReadonlySet<string>;
}

/** Gives a fresh store, and removes it afterwards. */
export async function withStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'pchronicle-integration-'));
  const store = await openStore(join(folder, 'store'), { create: true });
  try {
    return await use(store);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports sources of one format into a store, in one import. Their names are their identities. */
export async function fill(store: Store, format: AnyFormat, sources: readonly Source[]): Promise<Filled> {
  const storylines: Storyline[] = [];
  const issues: Issue[] = [];
  const rejected = new Set<string>();
  async function* events(): AsyncGenerator<ImportEvent> {
    for (const source of sources) {
      let held: Storyline[] = [];
      for await (const event of importStorylines(source, format)) {
        if (event.type === 'storyline') held.push(event.storyline);
        if (event.type === 'issue') issues.push(event.issue);
        if (event.type === 'end') {
          if (event.accepted) storylines.push(...held);
          else rejected.add(source.name);
          held = [];
        }
        yield event;
      }
    }
  }
  const summary = await store.ingest(events(), {
    sourceId: ({ at }) => at.source ?? '',
    onIssue: (issue) => issues.push(issue),
  });
  expect(summary.documents.new).toBe(storylines.length);
  return { store, storylines, issues, rejected };
}

/**
 * Takes sources through a fresh store. Before `use` sees it, what is read back is what was imported: the same Storylines, in the same
 * order, spelled the same, and the store verifies itself.
 */
export async function throughStore<Result>(
  format: AnyFormat,
  sources: readonly Source[],
  use: (filled: Filled) => Promise<Result>,
): Promise<Result> {
  return await withStore(async (store) => {
    const filled = await fill(store, format, sources);
    let index = 0;
    for await (const { storyline } of store.storylines()) {
      const wanted = filled.storylines[index];
      if (wanted === undefined) throw new Error(`the store has more than ${index} Storylines`);
      expectSpelledEqual(storyline, wanted, `Storyline ${index}`);
      index += 1;
    }
    expect(index).toBe(filled.storylines.length);
    expect((await store.verify()).faults).toEqual([]);
    return await use(filled);
  });
}

// Equality by value takes 1.0 for 1; whatever leaves the store has the digits that went in. The order of the hub's own keys is free.
function expectSpelledEqual(found: Storyline, wanted: Storyline, what: string): void {
  const [left, right] = [sorted(storylineToJson(found)), sorted(storylineToJson(wanted))];
  if (stringify(left) === stringify(right)) return;
  expectEqual(left, right, what);
  throw new Error(`${what}: a number is spelled differently`);
}

/** A copy whose objects have their keys in order; numbers keep their digits. */
function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value).sort()) setOwn(copy, key, sorted(getOwn(value, key) ?? null));
  return copy;
}

/** One document that was written. */
export interface Written {
  /** Name of the source that its Storylines came from, where the store knows it. */
  readonly source: string;
  readonly text: string;
  readonly issues: readonly Issue[];
}

/** Writes all of a collection, document by document; every document must be good. */
export async function writeAll(
  format: AnyFormat,
  stories: StoryCollection,
  options: ExportOptions = {},
): Promise<readonly Written[]> {
  const documents: Written[] = [];
  for await (const document of exportDocuments(format, stories, options)) {
    let text = '';
    for await (const piece of document.text()) text += piece;
    expect(document.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(document.failed()).toBe(false);
    const named = stories.sourceOf?.(document.indexes[0] ?? 0) ?? '';
    documents.push({
      source: named.slice(0, named.lastIndexOf('#')),
      text,
      issues: document.issues,
    });
  }
  return documents;
}

/** Writes all of a collection as one JSON Lines file, and gives its lines. */
export async function writeLines(format: AnyFormat, stories: StoryCollection): Promise<readonly string[]> {
  let text = '';
  const issues: Issue[] = [];
  const documents = exportDocuments(format, stories, { outer: 'lines' });
  for await (const piece of joinDocuments('lines', documents, { issue: (issue) => issues.push(issue) }))
    text += piece;
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

/** A source that holds one document. */
export function documentSource(name: string, document: Json): Source {
  return bytesSource(name, stringify(document));
}

/** A source that holds documents one a line. */
export function linesSource(name: string, documents: readonly Json[]): Source {
  return bytesSource(name, documents.map((document) => `${stringify(document)}\n`).join(''));
}

/** A name for the `index`-th source; a store lists sources in the order of their names. */
export function sourceName(index: number): string {
  return `input-${String(index).padStart(4, '0')}.json`;
}
