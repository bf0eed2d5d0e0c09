// How fast rows become an Arrow table: the store's own column building, Arrow's builders, and LanceDB's conversion of objects (trap 6).
//   node bench/arrow-columns.mjs [ROWS] [ROUNDS]
import { cpus } from 'node:os';
import { buildTable } from '../packages/store-lance/dist/columns/build-table.js';
import { arrowSchema } from '../packages/store-lance/dist/columns/schema.js';
import { loadLance } from '../packages/store-lance/dist/lance/load-lance.js';
import { rowsOf } from '../packages/store-lance/dist/storyline-rows.js';
import { tableColumns } from '../packages/store-lance/dist/table-columns.js';

const [count = 8_000, rounds = 15] = process.argv.slice(2).map(Number);
const lance = loadLance();
const { arrow, lancedb } = lance;
// Without the times: Arrow's builder of nanoseconds takes milliseconds as a number, which is not exact.
const columns = tableColumns.steps.filter(({ type }) => type !== 'timestamp_ns');
const filler = 'The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸。 '.repeat(12);
const turns = Array.from({ length: count }, (_, index) => ({
  id: index + 1,
  src: index % 2 === 0 ? 'user' : 'agent',
  msg: `message ${index} ${filler}`,
  ...(index % 2 === 0 ? {} : { reason: filler }),
  ts: '2026-01-02T03:04:05.123456789Z',
}));
const identity = {
  documentKey: 'k',
  ingestId: 'i',
  revision: 1n,
  ingestedAt: 0n,
  sourceId: 's',
  storageOrdinal: 0n,
  contentHash: 'h',
};
const storyline = { schema_version: 'storyline/v1', session: 's', agent: { id: 'a' }, turns };
const rows = [...rowsOf(storyline, identity).steps()].map((row) =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null])),
);
const schema = arrowSchema(lance, columns, new Map());

const ways = {
  'own columns (buildTable)': () => buildTable(lance, columns, rows),
  'Arrow’s builders (vectorFromArray)': () =>
    new arrow.Table(
      schema,
      Object.fromEntries(
        schema.fields.map(({ name, type }) => [
          name,
          arrow.vectorFromArray(
            rows.map((row) => row[name] ?? null),
            type,
          ),
        ]),
      ),
    ),
  'objects (makeArrowTable)': () => lancedb.makeArrowTable(rows, { schema }),
};

console.log(
  `${count} rows of steps, ${columns.length} columns; ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
);
let first;
for (const [name, make] of Object.entries(ways)) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const { numRows } = make();
    times.push(performance.now() - begun);
    if (numRows !== count) throw new Error(`${name}: ${numRows} rows`);
  }
  times.sort((left, right) => left - right);
  const [best] = times;
  first ??= best;
  const median = times[times.length >> 1];
  console.log(
    `${name.padEnd(36)} ${best.toFixed(1).padStart(7)} ms at best, ${median.toFixed(1)} in the middle of ${rounds}   × ${(best / first).toFixed(1)}`,
  );
}
