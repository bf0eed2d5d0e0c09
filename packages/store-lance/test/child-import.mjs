// Imports test documents into a store, in a process of its own that may be told to kill itself. Runs the built package.
//   node child-import.mjs URI SOURCE FIRST COUNT MARKER [HOOK] [OCCURRENCE] [DELAY]
// SHARE=1/4 in the environment imports that share; STORAGE is JSON of storage options; TRACE=1 prints each phase of the writing as it begins.
// HOOK: a phase of IngestProgress (killed when it begins for the OCCURRENCE-th time, after DELAY ms), or `inside-tool_calls`, `inside-steps`,
// `inside-commit` (killed once a data file of that table has come since the phase began, before it ends), or `time` (killed after DELAY ms).
import { readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@pchronicle/store-lance';

const [uri, source, first, count, marker, hook, occurrence = '1', delay = '0'] = process.argv.slice(2);

export function story(id, turns, text) {
  return {
    schema_version: 'storyline/v1',
    session: id,
    agent: { id: 'agent' },
    turns: Array.from({ length: turns }, (_, index) => ({
      id: index + 1,
      src: 'agent',
      msg: `message ${index} of ${id} ${text}`,
      tool_calls: [{ tcid: `call-${index}`, fn: 'shell', args: { command: text } }],
    })),
  };
}

export function* events(from, many, text) {
  for (let ordinal = from; ordinal < from + many; ordinal += 1) {
    const at = { source: 'file.json', record: ordinal + 1, pointer: '' };
    const document = { ordinal, format: 'test', key: `document-${ordinal}`, at };
    yield { type: 'document', document };
    for (const part of ['a', 'b'])
      yield {
        type: 'storyline',
        storyline: story(`${ordinal}-${part}`, 20 + (ordinal % 3), text),
        document,
        at,
      };
    yield { type: 'end', document, accepted: true, storylines: 2, ranges: [] };
  }
}

if (uri !== undefined) {
  const die = () => process.kill(process.pid, 'SIGKILL');
  const { SHARE, STORAGE, TRACE } = process.env;
  const inside = hook?.startsWith('inside-') ? hook.slice('inside-'.length) : undefined;
  let seen = 0;
  const onProgress = ({ phase, documents }) => {
    // Written before anything else happens: what the parent reads is where the kill came.
    if (TRACE === '1' && phase !== 'read') writeSync(1, `phase ${phase} ${documents}\n`);
    else if (phase === 'committed') writeSync(1, 'committed\n');
    if (phase !== (inside ?? hook)) return;
    seen += 1;
    if (seen !== Number(occurrence)) return;
    if (inside === undefined) {
      if (delay === '0') die();
      setTimeout(die, Number(delay));
      return;
    }
    const data = join(uri, inside === 'commit' ? 'runs.lance' : `${inside}.lance`, 'data');
    const files = () => {
      try {
        return readdirSync(data).length;
      } catch {
        return 0;
      }
    };
    const before = files();
    const watch = () => {
      if (files() > before) die();
      setImmediate(watch);
    };
    watch();
  };
  if (hook === 'time') setTimeout(die, Number(delay));
  const [index, of] = (SHARE ?? '').split('/').map(Number);
  const store = await openStore(uri, {
    create: true,
    ...(STORAGE === undefined ? {} : { storageOptions: JSON.parse(STORAGE) }),
  });
  const summary = await store.ingest(events(Number(first), Number(count), marker), {
    sourceId: source,
    batch: { documents: 4 },
    ...(SHARE === undefined ? {} : { share: { index, count: of } }),
    onProgress,
  });
  await store.close();
  process.stdout.write(`${JSON.stringify(summary)}\n`);
}
