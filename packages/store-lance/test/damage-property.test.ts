import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type * as LanceDb from '@lancedb/lancedb';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../src/cells.ts';
import { buildTable } from '../src/columns/build-table.ts';
import type { Row } from '../src/columns/column.ts';
import { openStore } from '../src/index.ts';
import { loadLance } from '../src/lance/load-lance.ts';
import { collect, scan } from '../src/lance/scan.ts';
import { tableColumns } from '../src/table-columns.ts';
import { freshStore, put, story, temporaryFolder } from './helpers.ts';

/** Writes the rows of a table anew, cut into fragments of other numbers of rows; gives the rows of each file. */
async function recut(table: LanceDb.Table, folder: string, rows: readonly Row[], sizes: readonly number[]) {
  await table.delete('true');
  const files = new Map<string, readonly Row[]>();
  const known = new Set(readdirSync(folder));
  for (let start = 0, turn = 0; start < rows.length; turn += 1) {
    const piece = rows.slice(start, start + (sizes[turn % sizes.length] ?? 1));
    start += piece.length;
    await table.add(buildTable(loadLance(), tableColumns[table.name as 'steps'], piece));
    for (const name of readdirSync(folder).filter((file) => !known.has(file))) {
      known.add(name);
      files.set(name, piece);
    }
  }
  return files;
}

/** The rows of documents as writers beside each other leave them: in slices between those of others, each document's in their order. */
function interleaved(rows: readonly Row[], choices: readonly number[]): Row[] {
  const queues = grouped(rows);
  const mixed: Row[] = [];
  for (let turn = 0; queues.length > 0; turn += 1) {
    const at = (choices[turn % choices.length] ?? 0) % queues.length;
    const queue = queues[at] ?? [];
    mixed.push(...queue.splice(0, 1 + ((choices[(turn + 1) % choices.length] ?? 0) % 5)));
    if (queue.length === 0) queues.splice(at, 1);
  }
  return mixed;
}

test('whichever files are damaged, and however rows lie in them: verify names the Storylines with rows in these, and no others; the rest is left whole without them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        turns: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 2, maxLength: 7 }),
        choices: fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 12 }),
        sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        name: fc.constantFrom('steps' as const, 'tool_calls' as const),
        spoilt: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 2 }),
        cut: fc.constantFrom(200, 20, 100_000),
      }),
      async ({ turns, choices, sizes, name, spoilt, cut }) => {
        const { store, uri } = await freshStore();
        await put(
          store,
          turns.map((count, number) => ({ storylines: [story(`s${number}`, count)] })),
        );
        await store.close();
        const connection = await loadLance().lancedb.connect(uri, {
          namespaceClientProperties: { manifest_enabled: 'false' },
        });
        const table = await connection.openTable(name);
        const columns = tableColumns[name].map((column) => column.name);
        const rows = interleaved(await collect(scan(table, { columns })), choices);
        const folder = join(uri, `${name}.lance`, 'data');
        const files = [...(await recut(table, folder, rows, sizes))];
        const hit = new Set<string>();
        for (const choice of new Set(spoilt.map((number) => number % Math.max(1, files.length)))) {
          const [file, held] = files[choice] ?? [];
          if (file === undefined || held === undefined) continue;
          const path = join(folder, file);
          truncateSync(path, cut > 1_000 ? 50 : Math.max(0, statSync(path).size - cut));
          for (const row of held) hit.add(textOf(row, 'document_id'));
        }
        const damaged = await openStore(uri);
        const { faults } = await damaged.verify();
        expect(new Set(faults.map(({ documentId }) => documentId))).toEqual(hit);
        const left = await damaged.withoutDamage(join(temporaryFolder(), 'readable'));
        expect(new Set(left.storylines.map(({ documentId }) => documentId))).toEqual(hit);
        await damaged.close();
      },
    ),
    { numRuns: 40 },
  );
}, 180_000);

function grouped(rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const id = textOf(row, 'document_id');
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return [...groups.values()];
}
