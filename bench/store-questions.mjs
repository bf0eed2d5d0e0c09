// Phases of the bench that ask a store: by id, in SQL, for a text.

import { openSql } from '@pchronicle/store-lance/sql';
import { each, expect, seconds } from './figures.mjs';

const LOOKUPS = 20;

/** Lookups by every kind of id, and of one Storyline. */
export async function lookups(store, { runs }) {
  const some = Array.from({ length: LOOKUPS }, (_, index) => (index * 7919 + 1) % runs);
  const keys = [];
  const result = {};
  for (const [name, id] of [
    ['session', (run) => `session-${run}`],
    ['document', (run) => `task-${run % 500}-${run}`],
    ['run', (run) => `task-${run % 500}`],
    ['key', (_, index) => keys[index]],
    ['call', (run) => `call_${run}_5`],
  ]) {
    result[name] = await each(some.entries(), async ([index, run]) => {
      const found = await store.resolve(id(run, index));
      if (name === 'session') keys.push(found[0].documentKey);
      expect(found.length > 0, true, `lookup by ${name}`);
    });
  }
  result.read = await each(keys, (key) => store.read(key));
  return result;
}

export async function sql(store, data) {
  const [open, session] = await seconds(() => openSql(store));
  const query = async (sql) => {
    const rows = [];
    for await (const batch of (await session.query(sql)).batches) rows.push(...batch);
    return rows;
  };
  const [counting, [[steps]]] = await seconds(() => query('SELECT count(*) FROM steps'));
  expect(Number(steps), data.total, 'counted');
  const [scan] = await seconds(() =>
    query('SELECT max(step_id), max(timestamp), max(model_name) FROM steps'),
  );
  const [group] = await seconds(() =>
    query('SELECT function_name, count(*), avg(duration_ms) FROM tool_calls GROUP BY ALL'),
  );
  const [join] = await seconds(() =>
    query(
      'SELECT s.source, count(*) FROM steps s JOIN tool_calls c ON c.ingest_id = s.ingest_id AND c.turn_ordinal = s.turn_ordinal GROUP BY ALL',
    ),
  );
  const [text] = await seconds(() => query('SELECT sum(length(message_json)) FROM steps'));
  const call = `call_${(data.runs / 2) | 0}_5`;
  const byCall = await each([call, call, call], async (id) => {
    const rows = await query(`SELECT document_id FROM tool_calls WHERE tool_call_id = '${id}'`);
    expect(rows.length, 1, 'found by tool_call_id');
  });
  await session.close();
  return {
    open_s: open,
    count_s: counting,
    scan_s: scan,
    group_s: group,
    join_s: join,
    text_s: text,
    by_call_id_ms: byCall,
  };
}

export async function find_first(store, data) {
  const [took, found] = await seconds(() => store.find(data.words[4321]));
  expect(found.length > 0, true, 'found');
  return { find_s: took };
}

export async function find(store, data) {
  const words = data.words.slice(100, 100 + LOOKUPS);
  return {
    word: await each(words, (word) => store.find(word)),
    in_run: await each(words, (word) => store.find(word, { filter: { runs: ['task-3'] } })),
    of_tool: await each(words, (word) => store.find(word, { tool: 'shell' })),
    since: await each(words.slice(0, 5), (word) =>
      store.find(word, {
        filter: { since: BigInt(1_760_000_000_000 + (data.runs / 2) * 60_000) * 1_000_000n },
      }),
    ),
  };
}
