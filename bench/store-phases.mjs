// What the bench of the store measures: each phase is an action on a store, run in a process of its own, so that its peak memory is its own.

import { openSql } from '@pchronicle/store-lance/sql';
import { exportDocuments, storylineFormat } from '@pchronicle/storyline-core';

const LOOKUPS = 20;

/** Median milliseconds of some calls, the first (which opens files and indexes) left out, and that first one. */
async function each(items, action) {
  const times = [];
  for (const item of items) {
    const start = performance.now();
    await action(item);
    times.push(performance.now() - start);
  }
  const [first, ...later] = times;
  later.sort((left, right) => left - right);
  return { first: round(first), median: round(later[later.length >> 1]), worst: round(later.at(-1)) };
}

const round = (number) => Number(number.toFixed(number < 10 ? 2 : 0));

async function seconds(action) {
  const start = performance.now();
  const value = await action();
  return [round((performance.now() - start) / 1000), value];
}

async function count(items) {
  let found = 0;
  for await (const _ of items) found += 1;
  return found;
}

function expect(found, wanted, what) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
}

async function lookups(store, { runs }) {
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

/** Phases by name, in the order in which they are run. They get a store, the data and its size, and give figures. */
export const PHASES = {
  async import(store, data) {
    const [generating] = await seconds(() => count(data.events()));
    const [all] = await seconds(() => store.ingest(data.events(), { sourceId: 'bench', indexes: false }));
    const [indexes] = await seconds(() => store.refreshIndexes());
    return {
      generate_s: generating,
      import_s: round(all - generating),
      steps_per_s: Math.round(data.total / Math.max(0.001, all - generating)),
      indexes_s: indexes,
    };
  },
  async again(store, data) {
    const [all, { documents }] = await seconds(() => store.ingest(data.events(), { sourceId: 'bench' }));
    expect(documents.unchanged, data.runs, 'unchanged');
    return { again_s: all };
  },
  async info(store, data) {
    const [took, info] = await seconds(() => store.info());
    return {
      info_s: took,
      bytes_per_step: Math.round(info.bytesOnDisk / data.total),
      fragments: info.tables.steps.fragments,
    };
  },
  lookup: lookups,
  async list(store, data) {
    const [took, found] = await seconds(() => count(store.list()));
    expect(found, data.runs, 'listed');
    return { list_s: took };
  },
  async heads(store, data) {
    const [took, found] = await seconds(() => count(store.heads()));
    expect(found, data.runs, 'heads');
    return { heads_s: took };
  },
  // What `--where` does: the condition as SQL, its keys as a filter.
  async where(store, data) {
    const result = {};
    for (const [name, condition, wanted] of [
      ['tenth', 'score = 3', Math.floor((data.runs + 6) / 10)],
      ['third', 'correct', Math.ceil(data.runs / 3)],
    ]) {
      const [took, found] = await seconds(async () => {
        const session = await openSql(store);
        const keys = [];
        const { batches } = await session.query(`SELECT document_key FROM runs WHERE ${condition}`);
        for await (const rows of batches) for (const [key] of rows) keys.push(key);
        await session.close();
        return await count(store.list({ documentKeys: keys }));
      });
      expect(found, wanted, `selected by ${condition}`);
      result[`${name}_s`] = took;
    }
    return result;
  },
  async read(store, data) {
    const [took, turns] = await seconds(async () => {
      let found = 0;
      for await (const { storyline } of store.storylines()) found += storyline.turns.length;
      return found;
    });
    expect(turns, data.total, 'turns read');
    return { read_s: took, steps_per_s: Math.round(turns / took) };
  },
  async export(store, data) {
    const [took, characters] = await seconds(async () => {
      let found = 0;
      for await (const document of exportDocuments(storylineFormat, await store.collection()))
        for await (const piece of document.text()) found += piece.length;
      return found;
    });
    return { export_s: took, steps_per_s: Math.round(data.total / took), characters };
  },
  async sql(store, data) {
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
  },
  async find_first(store, data) {
    const [took, found] = await seconds(() => store.find(data.words[4321]));
    expect(found.length > 0, true, 'found');
    return { find_s: took };
  },
  async find(store, data) {
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
  },
  async maintain(store, data) {
    const [took] = await seconds(() => store.maintain({ retention: 0, safetyAge: 0 }));
    const info = await store.info();
    return {
      maintain_s: took,
      bytes_per_step: Math.round(info.bytesOnDisk / data.total),
      fragments: info.tables.steps.fragments,
    };
  },
  lookup_maintained: lookups,
  async read_maintained(store, data) {
    return await PHASES.read(store, data);
  },
  async verify(store, data) {
    const report = await store.verify();
    expect(report.faults.length, 0, 'faults');
    expect(report.steps, data.total, 'verified');
    return { verify_s: round(report.seconds), steps_per_s: Math.round(data.total / report.seconds) };
  },
};
