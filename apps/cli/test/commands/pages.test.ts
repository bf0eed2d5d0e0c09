import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFilePool } from '../../src/io/file-pool.ts';
import { createInputJoiner } from '../../src/read/join-inputs.ts';
import { folder, pchronicle } from '../support/run.ts';

const row = (id: string, previous: string | null, conversation = 'conv-1') => ({
  id,
  subject_uid: 'agent-1',
  conversation_id: conversation,
  type: 'message',
  role: null,
  status: 'complete',
  previous_message_id: previous,
  content: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `says ${id}` }] }],
  metadata: { request_item_count: 1 },
  inserted_at: `2026-08-20T08:00:0${id.at(-1)}.000000Z`,
  updated_at: `2026-08-20T08:00:0${id.at(-1)}.000000Z`,
});
const page = (rows: object[], next_cursor: string | null = null) => ({ messages: rows, next_cursor });

/** A folder with three pages of one conversation and one of another. */
function pagesFolder(): string {
  const cwd = folder();
  const write = (name: string, value: object) =>
    writeFileSync(join(cwd, name), JSON.stringify(value, null, 2));
  write('page-1.json', page([row('r1', null), row('r2', 'r1')], 'c1'));
  write('page-2.json', page([row('r3', 'r2')], 'c2'));
  write('page-3.json', page([row('r4', 'r3')]));
  write('other.json', page([row('r5', null, 'conv-2')]));
  return cwd;
}
const documents = (stdout: string) => JSON.parse(stdout).documents;

describe('pages of one conversation in files of their own', () => {
  test('are imported as one trajectory, again as unchanged, in whatever order', async () => {
    const cwd = pagesFolder();
    const first = await pchronicle(['import', 'page-3.json', 'page-1.json', 'page-2.json', '--json'], {
      cwd,
    });
    expect([first.exit, first.stderr]).toEqual([0, '']);
    expect(documents(first.stdout)).toMatchObject({ new: 1, replaced: 0, unchanged: 0 });
    const again = await pchronicle(['import', 'page-1.json', 'page-2.json', 'page-3.json', '--json'], {
      cwd,
    });
    expect(documents(again.stdout)).toMatchObject({ new: 0, replaced: 0, unchanged: 1 });
    const shown = await pchronicle(['ls', '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      runs: [{ document_id: 'conv-1', turns: 4, source: 'page-1.json' }],
    });
  });

  test('grow in the store when a later page is added, under their first file or a --source', async () => {
    const cwd = pagesFolder();
    for (const source of [[], ['--source', 'api']]) {
      await pchronicle(['import', 'page-1.json', 'page-2.json', ...source], { cwd });
      const grown = await pchronicle(
        ['import', 'page-1.json', 'page-2.json', 'page-3.json', '--json', ...source],
        { cwd },
      );
      expect(documents(grown.stdout)).toMatchObject({ new: 0, replaced: 1 });
    }
  });

  test('are found in a folder beside other conversations, and convert writes them as one document', async () => {
    const cwd = pagesFolder();
    const ran = await pchronicle(['convert', '.', '--to', 'ankole', '-o', 'out/'], { cwd });
    expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining('2 trajectories to 2 documents')]);
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['other.ankole.json', 'page-1.ankole.json']);
    const back = await pchronicle(['convert', 'out/page-1.ankole.json', '--to', 'ankole'], { cwd });
    expect(JSON.parse(back.stdout).map(({ messages }: { messages: object[] }) => messages.length)).toEqual([
      2, 1, 1,
    ]);
  });

  test('G7: those that were rejected together are read again from the rejects file, beside the other that was', async () => {
    const cwd = pagesFolder();
    const bad = { ...row('r3', 'r2'), content: 'x' };
    writeFileSync(join(cwd, 'page-2.json'), JSON.stringify(page([bad], 'c2'), null, 2));
    writeFileSync(
      join(cwd, 'other.json'),
      JSON.stringify(page([{ ...row('r5', null, 'conv-2'), id: 5 }]), null, 2),
    );
    const first = await pchronicle(['import', '.', '--rejects', 'rejects.json'], { cwd });
    expect([first.exit, first.stderr]).toEqual([1, expect.stringContaining('2 documents rejected')]);
    const whole = ['other.json', 'page-1.json', 'page-2.json', 'page-3.json'].map((name) =>
      readFileSync(join(cwd, name), 'utf8'),
    );
    const rejects = readFileSync(join(cwd, 'rejects.json'), 'utf8');
    expect(rejects.length).toBeGreaterThan(whole.join('').length - 1);
    for (const text of whole) expect(rejects).toContain(text);
    const again = await pchronicle(['import', 'rejects.json', '--rejects', 'again.json'], { cwd });
    expect([again.exit, again.stderr]).toEqual([1, expect.stringContaining('2 documents rejected')]);
    expect(readFileSync(join(cwd, 'again.json'), 'utf8').trimEnd()).toBe(rejects.trimEnd());
    writeFileSync(
      join(cwd, 'mended.json'),
      rejects.replace('"content": "x"', '"content": []').replace('"id": 5', '"id": "r5"'),
    );
    const mended = await pchronicle(['import', 'mended.json', '--json'], { cwd });
    expect(documents(mended.stdout)).toMatchObject({ new: 2, rejected: 0 });
  });

  test('Responses that name no conversation are one with those that they continue', async () => {
    const cwd = folder();
    const response = (id: string, previous: string | null) => ({
      id: `resp_${id}`,
      object: 'response',
      previous_response_id: previous && `resp_${previous}`,
      output: [{ type: 'message', role: 'assistant', content: `says ${id}` }],
    });
    writeFileSync(join(cwd, 'b.json'), JSON.stringify(response('2', '1'), null, 2));
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(response('1', null)));
    writeFileSync(join(cwd, 'c.json'), JSON.stringify(response('9', null)));
    const ran = await pchronicle(['import', '.', '--format', 'ankole', '--json'], { cwd });
    expect([documents(ran.stdout).new, ran.stderr]).toEqual([2, '']);
    const shown = await pchronicle(['project', 'b.json', 'a.json', '--format', 'ankole', '--json'], { cwd });
    expect(JSON.parse(shown.stdout).messages).toEqual([
      { role: 'assistant', content: 'says 1' },
      { role: 'assistant', content: 'says 2' },
    ]);
  });

  test('project and validate read them as one', async () => {
    const cwd = pagesFolder();
    const shown = await pchronicle(['project', 'page-2.json', 'page-1.json', 'page-3.json', '--json'], {
      cwd,
    });
    expect(JSON.parse(shown.stdout).messages.map(({ content }: { content: string }) => content)).toEqual([
      'says r1',
      'says r2',
      'says r3',
      'says r4',
    ]);
    const valid = await pchronicle(['validate', 'page-1.json', 'page-2.json', 'page-3.json'], { cwd });
    expect(valid.stdout).toBe('✓ page-1.json and 2 more: ankole, 1 record, no issues\n');
  });

  test('a page that is missing is told with the file that shows it', async () => {
    const cwd = pagesFolder();
    const ran = await pchronicle(['validate', 'page-1.json', 'page-3.json', '--jsonl'], { cwd });
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      {
        code: 'ankole/missing-row',
        severity: 'warning',
        at: { source: 'page-3.json', line: expect.any(Number), pointer: '/messages/0/previous_message_id' },
      },
    ]);
  });

  test('a rejected set goes to the rejects file whole, and standard input is a page like any other', async () => {
    const cwd = pagesFolder();
    const bad = JSON.stringify(page([{ ...row('r4', 'r3'), content: 'none' }]));
    const ran = await pchronicle(['import', 'page-1.json', '-', '--rejects', 'bad.json'], {
      cwd,
      input: bad,
    });
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain('ankole/row-shape');
    const first = readFileSync(join(cwd, 'page-1.json'), 'utf8');
    expect(readFileSync(join(cwd, 'bad.json'), 'utf8')).toBe(`${first}\n${bad}`);
    const good = await pchronicle(['validate', 'page-1.json', 'page-2.json', '-'], {
      cwd,
      input: JSON.stringify(page([row('r4', 'r3')])),
    });
    expect(good.stdout).toContain('page-1.json and 2 more: ankole, 1 record, no issues');
  });
});

describe('which inputs are joined', () => {
  const groups = (...ids: string[]) => ({ ids, canBeAdopted: ids.length === 0 });

  test('those that share a group, directly or through others, of one format; sorted by name', () => {
    const joiner = createInputJoiner();
    joiner.add('d', 'x', groups('1'));
    joiner.add('c', 'x', groups('2'));
    joiner.add('b', 'x', groups('2', '3'));
    joiner.add('a', 'y', groups('1'));
    joiner.add('e', 'x', groups('3', '1'));
    expect(joiner.sets()).toEqual([[2, 1, 0, 4], [3]]);
  });

  test('an empty page goes to the only group, and stays alone beside two', () => {
    const one = createInputJoiner();
    one.add('a', 'x', groups());
    one.add('b', 'x', groups('1'));
    expect(one.sets()).toEqual([[0, 1]]);
    const two = createInputJoiner();
    for (const ids of [[], ['1'], ['2']]) two.add('a', 'x', groups(...ids));
    expect(two.sets()).toEqual([[0], [1], [2]]);
  });

  test('100,000 inputs of one group are one set', () => {
    const joiner = createInputJoiner();
    for (let at = 0; at < 100_000; at += 1) joiner.add(String(at), 'x', groups('1'));
    expect(joiner.sets().map((set) => set.length)).toEqual([100_000]);
  });
});

test('a pool reads hundreds of files and holds few of them open', () => {
  const cwd = folder();
  const pool = createFilePool();
  const sources = Array.from({ length: 300 }, (_, index) => {
    const path = join(cwd, `f${index}`);
    writeFileSync(path, `text ${index}`);
    return pool.source(path, `f${index}`, `text ${index}`.length);
  });
  const next = () => {
    const handle = openSync(cwd, 'r');
    closeSync(handle);
    return handle;
  };
  const before = next();
  for (const [index, source] of sources.entries()) {
    const target = new Uint8Array(20);
    const count = source.readSync?.(target, 0) ?? 0;
    expect(Buffer.from(target.subarray(0, count)).toString()).toBe(`text ${index}`);
    expect(source.readSync?.(target, source.size)).toBe(0);
  }
  // The system gives the lowest number that is free.
  expect(next()).toBeLessThanOrEqual(before + 64);
  pool.close();
  expect(next()).toBe(before);
});

describe('--salvage with a bad page among good ones', () => {
  const files = ['a.json', 'b.json', 'c.json'];
  const bad = {
    'a row of the wrong shape': JSON.stringify(
      page([{ ...row('r3', 'r2'), content: 'oops' } as object], 'c2'),
    ),
    'rows of another kind': JSON.stringify({ ...page([row('r3', 'r2')]), messages: [row('r3', 'r2'), 7] }),
    'a page that breaks off': JSON.stringify(page([row('r3', 'r2')], 'c2')).slice(0, -40),
  };
  test.each(Object.keys(bad) as (keyof typeof bad)[])('%s is left out, the others are kept', async (name) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(page([row('r1', null), row('r2', 'r1')], 'c1')));
    writeFileSync(join(cwd, 'b.json'), bad[name]);
    writeFileSync(join(cwd, 'c.json'), JSON.stringify(page([row('r4', 'r3')])));
    const strict = await pchronicle(['import', ...files, '--json'], { cwd });
    expect([strict.exit, documents(strict.stdout).new]).toEqual([1, 0]);
    expect(strict.stderr).not.toContain('are kept');
    const { exit, stderr } = await pchronicle(['import', ...files, '--salvage'], { cwd });
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      /^warning: b\.json.*left out because of its errors; the others of its document are kept/m,
    );
    expect(stderr).not.toMatch(/^warning: [ac]\.json.*left out/m);
    const shown = await pchronicle(['ls', '--json'], { cwd });
    expect(JSON.parse(shown.stdout).runs).toMatchObject([{ document_id: 'conv-1', turns: 3 }]);
  });

  test('where no page is good, nothing is said to be kept', async () => {
    const cwd = folder();
    for (const name of files) writeFileSync(join(cwd, name), bad['a row of the wrong shape']);
    const { stderr, exit } = await pchronicle(['import', ...files, '--salvage'], { cwd });
    expect(exit).toBe(1);
    expect(stderr).not.toContain('are kept');
  });
});
