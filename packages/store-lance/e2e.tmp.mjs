import fs from 'node:fs';
import { openStore, sourceIdOf } from '@pchronicle/store-lance';
import { importStorylines, storylineFormat } from '@pchronicle/storyline-core';
import { openFile } from '@pchronicle/storyline-core/node';

const file = '/var/tmp/store/in.jsonl',
  uri = '/var/tmp/store/e2e';
const rss = () => Math.round(process.resourceUsage().maxRSS / 1024);
if (process.argv[2] === 'gen') {
  const out = fs.openSync(file, 'w');
  const W = Array.from({ length: 5000 }, () => Math.random().toString(36).slice(2));
  const text = (n) => {
    let s = '';
    while (s.length < n) s += `${W[(Math.random() * 5000) | 0]} `;
    return s;
  };
  for (let r = 0; r < 6000; r++) {
    const turns = Array.from({ length: 20 }, (_, i) => ({
      id: i + 1,
      src: 'agent',
      msg: text(800),
      tool_calls: [{ tcid: `c${i}`, fn: 'sh', args: { c: text(100) }, result: text(600) }],
      observation: { results: [{ source_call_id: `c${i}`, content: text(600) }] },
    }));
    fs.writeSync(
      out,
      `${JSON.stringify({ schema_version: 'storyline/v1', session: `s${r}`, agent: { id: 'a' }, turns })}\n`,
    );
  }
  console.log((fs.statSync(file).size / 1e6) | 0, 'MB');
  process.exit();
}
if (process.argv[2] !== 'export') fs.rmSync(uri, { recursive: true, force: true });
if (process.argv[2] === 'import') {
  const store = await openStore(uri, { create: true });
  const src = await openFile(file);
  const t = performance.now();
  const s = await store.ingest(importStorylines(src, storylineFormat), { sourceId: sourceIdOf(file) });
  console.log(
    s.documents.new,
    (s.bytes / 1e6) | 0,
    `${((performance.now() - t) / 1000).toFixed(1)}s`,
    `${rss()}MB`,
  );
  await store.close();
  await src.close();
  const { spawnSync } = await import('node:child_process');
  process.stdout.write(
    spawnSync(process.execPath, [process.argv[1], 'export'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).stdout,
  );
}
if (process.argv[2] === 'export') {
  const store = await openStore(uri);
  const t = performance.now();
  const c = await store.collection();
  let n = 0,
    _bytes = 0;
  for (let i = 0; i < c.length; i++) {
    const _s = await c.read(i);
    n++;
  }
  console.log('read', n, `${((performance.now() - t) / 1000).toFixed(1)}s`, `${rss()}MB`);
}
