// What the bench of the store measures: each phase is an action on a store, run in a process of its own, so that its peak memory is its own.

import { openSql } from '@pchronicle/store-lance/sql';
import { exportDocuments, storylineFormat } from '@pchronicle/storyline-core';
import { count, expect, round, seconds } from './figures.mjs';
import { find, find_first, lookups, sql } from './store-questions.mjs';

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
  sql,
  find_first,
  find,
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
