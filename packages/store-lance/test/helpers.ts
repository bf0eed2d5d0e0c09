import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportEvent, Issue, SourceDocument, Storyline, Turn } from '@pchronicle/storyline-core';
import { afterAll } from 'vitest';
import { type IngestOptions, type IngestSummary, openStore, type Store } from '../src/index.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-lance-'));
  folders.push(folder);
  return folder;
}

/**
 * Whether what a folder forbids can be tested here: by anybody but root, and by root as somebody else, who must be able to load this
 * package, wherever it was checked out.
 */
export function canBeForbidden(): boolean {
  if (process.getuid?.() !== 0) return true;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A fresh store. */
export async function freshStore(): Promise<{ readonly store: Store; readonly uri: string }> {
  const uri = join(temporaryFolder(), 'store');
  return { store: await openStore(uri, { create: true }), uri };
}

/** A Storyline with `turns` turns, one call every second turn. */
export function story(id: string, turns = 4, extra: Partial<Storyline> = {}, marker = ''): Storyline {
  const list: Turn[] = [];
  for (let index = 0; index < turns; index += 1) {
    const calls = index % 2 === 1;
    list.push({
      id: index + 1,
      src: calls ? 'agent' : 'user',
      msg: `message ${index} of ${id} ${marker}`,
      ts: '2026-01-02T03:04:05.123456789Z',
      ...(calls
        ? {
            tool_calls: [
              { tcid: `call-${index}`, fn: 'shell', args: { command: `run ${index}` }, result: 'fine' },
            ],
          }
        : {}),
    });
  }
  return { schema_version: 'storyline/v1', session: id, agent: { id: 'agent' }, turns: list, ...extra };
}

/** One source document: its Storylines, and whether it is accepted. */
export interface TestDocument {
  readonly storylines: readonly Storyline[];
  readonly accepted?: boolean;
  readonly key?: string;
  /** Errors of records that were left out under `salvage`. */
  readonly salvaged?: boolean;
}

/** The events that a reading driver would give. */
export function* events(
  documents: readonly TestDocument[],
  source = 'file.json',
  format = 'test',
): Generator<ImportEvent> {
  let record = 0;
  for (const [ordinal, { storylines, accepted = true, key, salvaged }] of documents.entries()) {
    record += 1;
    const at = { source, record, offset: record * 100, pointer: '' };
    const document: SourceDocument = { ordinal, format, at, ...(key === undefined ? {} : { key }) };
    yield { type: 'document', document };
    for (const storyline of storylines) yield { type: 'storyline', storyline, document, at };
    if (!accepted || salvaged === true) {
      yield { type: 'issue', issue: { code: 'test/bad', severity: 'error', message: 'bad', at }, document };
    }
    yield { type: 'end', document, accepted, storylines: storylines.length, ranges: [] };
    yield { type: 'progress', bytes: record * 100 };
  }
}

/** Imports documents and gives the summary and the store's findings. */
export async function put(
  store: Store,
  documents: readonly TestDocument[],
  options: Partial<IngestOptions> = {},
): Promise<IngestSummary & { readonly issues: readonly Issue[] }> {
  const issues: Issue[] = [];
  const summary = await store.ingest(events(documents, options.sourcePath), {
    sourceId: 'source-a',
    ...options,
    onIssue: (issue) => issues.push(issue),
  });
  return { ...summary, issues };
}

/** Everything a store holds, in order. */
export async function contents(store: Store): Promise<Storyline[]> {
  const all: Storyline[] = [];
  for await (const { storyline } of store.storylines()) all.push(storyline);
  return all;
}

/** All items of an async iterable. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
