import {
  bytesSource,
  equalJson,
  exportValue,
  findGroups,
  getOwn,
  type Issue,
  importStorylines,
  type Json,
  type JsonObject,
  joinSources,
  type Storyline,
  stringify,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ankole, importAnkole, normaliseAnkole } from '../src/index.ts';
import { jobPage, page as pageOf } from './support/generate.ts';
import { codesOf, issueOf, storylineOf, storylinesOf, writtenBack } from './support/round-trip.ts';
import { vectorCases } from './support/vectors.ts';

const rows = getOwn(vectorCases('21')[0]?.input as JsonObject, 'messages') as JsonObject[];
const page = (part: readonly Json[], next_cursor: Json = null): JsonObject => ({
  messages: part,
  next_cursor,
});
const cursorOf = (row: JsonObject | undefined): string =>
  Buffer.from(`${String(row?.inserted_at)}|${String(row?.id)}`).toString('base64url');
const pages = [
  page(rows.slice(0, 3), cursorOf(rows[2])),
  page(rows.slice(3, 6), cursorOf(rows[5])),
  page(rows.slice(6)),
] as const;
const jobPages = getOwn(vectorCases('24')[0]?.input as JsonObject, 'pages') as JsonObject[];
const jobOf = (value: Json | undefined): JsonObject => getOwn(value as JsonObject, 'job') as JsonObject;

interface Read {
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
}

async function readFiles(files: { readonly [name: string]: string }): Promise<Read> {
  const sources = Object.entries(files).map(([name, text]) => bytesSource(name, text));
  const storylines: Storyline[] = [];
  const issues: Issue[] = [];
  for await (const event of importStorylines(joinSources(sources), ankole)) {
    if (event.type === 'storyline') storylines.push(event.storyline);
    if (event.type === 'issue') issues.push(event.issue);
  }
  return { storylines, issues };
}

describe('pages in files of their own', () => {
  test('are one Storyline, whether a file is indented, on one line, an array, or lines', async () => {
    const files = {
      'page-1.json': `${JSON.stringify(pages[0], null, 2)}\n`,
      'page-2.json': `\uFEFF${stringify([pages[1]])}`,
      'page-3.json': stringify(pages[2]),
      'more.jsonl': `${stringify({ ...(rows[0] as JsonObject), conversation_id: 'other' })}\n\n${stringify(rows[0] ?? null)}\n`,
    };
    const { storylines, issues } = await readFiles(files);
    expect(storylines.map(({ session, origin }) => [session, origin?.document_id])).toEqual([
      [rows[0]?.conversation_id, 'page-1.json'],
      ['other', 'page-1.json'],
    ]);
    expect(storylines[0]?.turns).toEqual(storylineOf([...pages]).turns);
    expect(exportValue(ankole, storylines.slice(0, 1)).value).toEqual([...pages, rows[0]]);
    expect(issues.map(({ code, at }) => [code, at.source, at.record, at.line, at.pointer])).toContainEqual([
      'ankole/repeated-row',
      'more.jsonl',
      2,
      3,
      '/rows/1',
    ]);
  });

  test('in any order give the same turns, and each order comes back', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ] as const) {
      const given = order.map((index) => pages[index]);
      const files = Object.fromEntries(
        given.map((value, index) => [`f${index}`, JSON.stringify(value, null, 1)]),
      );
      const { storylines, issues } = await readFiles(files);
      expect(storylines).toHaveLength(1);
      expect(storylines[0]?.turns).toEqual(storylineOf([...pages]).turns);
      expect(issues.map(({ code }) => code)).toEqual(['ankole/checkpoint-without-summary']);
      expect(exportValue(ankole, storylines).value).toEqual(given);
    }
  });

  test('any values, split over files in any way, say what one array of them says', async () => {
    const values = fc.array(fc.oneof(pageOf, jobPage, fc.constantFrom(...rows, page([]))), {
      minLength: 1,
      maxLength: 6,
    });
    /** Sizes of the files, and whether a file of several values is lines. */
    const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()), {
      minLength: 6,
      maxLength: 6,
    });
    const said = (stories: readonly Storyline[]): Json =>
      stories.map(({ session, turns, meta, task }) => ({ session, turns, meta, task })) as unknown as Json;
    await fc.assert(
      fc.asyncProperty(values, cuts, async (all, sizes) => {
        const files: { [name: string]: string } = {};
        let at = 0;
        for (const [index, [size, isLines]] of sizes.entries()) {
          const part = all.slice(at, at + size);
          at += size;
          const [first, ...others] = part;
          if (first === undefined) break;
          const isAlone = others.length === 0 && isLines;
          files[`f${index}`] = isAlone
            ? stringify(first, { indent: 2 })
            : isLines
              ? part.map((value) => stringify(value)).join('\n')
              : stringify(part);
        }
        const { storylines, issues } = await readFiles(files);
        const whole = importAnkole(stringify(all.slice(0, at)), { source: 'f0' });
        expect(said(storylines)).toEqual(said(whole.storylines));
        // What is about all files together has no place in one of them.
        const own = (found: readonly Issue[]) =>
          found.filter(({ code }) => !['core/unknown-key', 'ankole/several-trajectories'].includes(code));
        expect(
          own(issues)
            .map(({ code }) => code)
            .sort(),
        ).toEqual(
          own(whole.issues)
            .map(({ code }) => code)
            .sort(),
        );
        for (const { at: place } of own(issues)) expect(Object.keys(files)).toContain(place.source);
      }),
      { numRuns: 100 },
    );
  });

  test('an issue names the file, and its place and pointer in that file', async () => {
    const bad = { ...(rows[4] as JsonObject), content: 'x' };
    const second = JSON.stringify(page([rows[3] ?? null, bad, rows[5] ?? null], 'c'), null, 2);
    const { storylines, issues } = await readFiles({
      'one.json': JSON.stringify(pages[0], null, 2),
      'two.json': second,
    });
    expect(storylines).toEqual([]);
    const offset = second.indexOf('"x"');
    const line = second.slice(0, offset).split('\n').length;
    expect(issues).toContainEqual(
      expect.objectContaining({
        code: 'ankole/row-shape',
        at: { source: 'two.json', pointer: '/messages/1/content', offset, line, column: expect.any(Number) },
      }),
    );
  });

  test('a broken file is told with its name, and the other conversation is read', async () => {
    const other = page([{ ...(rows[0] as JsonObject), conversation_id: 'other', previous_message_id: null }]);
    const { storylines, issues } = await readFiles({
      'broken.json': stringify(pages[0]).slice(0, -30),
      'good.json': stringify(other),
    });
    expect(storylines.map(({ session }) => session)).toEqual(['other']);
    expect(issues.find(({ severity }) => severity === 'error')).toMatchObject({
      code: 'json/truncated',
      at: { source: 'broken.json' },
    });
  });

  test('10,000 pages of a row each are one Storyline, each byte read a few times', async () => {
    const many = 10_000;
    const id = (index: number) => `r${String(index).padStart(6, '0')}`;
    let bytesRead = 0;
    const sources = Array.from({ length: many }, (_, index) => {
      const row = {
        ...(rows[0] as JsonObject),
        id: id(index),
        previous_message_id: index === 0 ? null : id(index - 1),
      };
      const source = bytesSource(
        `${id(index)}.json`,
        stringify(page([row], index === many - 1 ? null : `cursor-${index}`)),
      );
      const counted = (target: Uint8Array, position: number): number => {
        const count = source.readSync(target, position);
        bytesRead += count;
        return count;
      };
      return { ...source, read: counted, readSync: counted };
    });
    const whole = joinSources(sources);
    let turns = 0;
    const codes: string[] = [];
    for await (const event of importStorylines(whole, ankole)) {
      if (event.type === 'storyline') turns = event.storyline.turns.length;
      if (event.type === 'issue') codes.push(event.issue.code);
    }
    expect([turns, codes]).toEqual([
      many * storylineOf(page([rows[0] ?? null])).turns.length,
      ['ankole/repeated-call-id'],
    ]);
    expect(bytesRead).toBeLessThan(4 * whole.size);
  });
});

describe('which files belong together', () => {
  const groupsOf = (value: Json) => findGroups(bytesSource('x', stringify(value)), ankole);

  test('those that name one conversation or job, however it is spelled', async () => {
    const conversation = String(rows[0]?.conversation_id);
    const response = {
      id: 'resp_1',
      object: 'response',
      conversation: { id: `conv_${conversation}` },
      output: [],
    };
    const found = await Promise.all(
      [pages[0], [pages[1]], rows[0] ?? null, response, { conversation: { id: conversation } }].map(groupsOf),
    );
    expect(found.map(({ ids }) => ids[0])).toEqual(found.map(() => `"${conversation}`));
    expect((await groupsOf(jobPages[0] ?? null)).ids).toEqual((await groupsOf(jobPages[1] ?? null)).ids);
  });

  test('two jobs do not, nor do documents that name nothing', async () => {
    const other = { job: { ...jobOf(jobPages[1]), id: 1001 } };
    expect((await groupsOf(jobPages[0] ?? null)).ids).not.toEqual((await groupsOf(other)).ids);
    expect(await groupsOf({ format: 'ankole_chatml', version: 1, messages: [] })).toEqual({
      ids: [],
      canBeAdopted: false,
    });
    const { storylines } = await readFiles({ a: stringify(jobPages[0] ?? null), b: stringify(other) });
    expect(storylines.map(({ session }) => session)).toEqual(['job-1000', 'job-1001']);
  });

  test('an empty page belongs to the only conversation there is', async () => {
    expect(await groupsOf(page([]))).toEqual({ ids: [], canBeAdopted: true });
    const document = [page([]), page(rows.slice(0, 3), cursorOf(rows[2]))] as const;
    expect(codesOf(document)).toEqual([]);
    expect(storylinesOf(document)).toHaveLength(1);
    expect(writtenBack(document)).toEqual(document);
    const { storylines } = await readFiles({ a: stringify(document[0]), b: stringify(document[1]) });
    expect(exportValue(ankole, storylines).value).toEqual(document);
  });
});

test('G1: pages without rows among others come back as the normal form says', () => {
  const [first, second] = pages;
  const other = page([{ ...(rows[0] as JsonObject), conversation_id: 'other', previous_message_id: null }]);
  for (const document of [
    [page([]), first, second],
    [page([]), page([])],
    [first, page([]), other],
    [jobPages[0] ?? null, page([])],
    [page([], 'c')],
  ] as const) {
    const { value } = exportValue(ankole, storylinesOf(document), { outer: 'lines' });
    const normal = normaliseAnkole(document);
    // Lines hold what arrays held one by one.
    expect(value).toEqual(normal === document ? document : (normal as Json[]).flat());
    expect(exportValue(ankole, storylinesOf(document), { outer: 'array' }).value).toEqual(value);
  }
});

test('pages one a line are gathered, and come back as lines', async () => {
  const other = page([{ ...(rows[0] as JsonObject), conversation_id: 'other', previous_message_id: null }]);
  const lines = [pages[0], jobPages[0] ?? null, other, pages[1], jobPages[1] ?? null, pages[2]];
  const source = bytesSource('dump.jsonl', lines.map((line) => `${stringify(line)}\n`).join(''));
  const storylines: Storyline[] = [];
  for await (const event of importStorylines(source, ankole))
    if (event.type === 'storyline') storylines.push(event.storyline);
  expect(storylines.map(({ turns }) => turns.length)).toEqual(
    [[...pages], jobPages, other].map((document) => storylineOf(document).turns.length),
  );
  expect(exportValue(ankole, storylines, { outer: 'lines' }).value).toEqual([...pages, ...jobPages, other]);
});

describe('pages that do not fit', () => {
  test('a missing page in the middle leaves a row that continues nothing', () => {
    const gap = [pages[0], pages[2]];
    const missing = issueOf(gap, 'ankole/missing-row');
    const pointsAway = rows.slice(6).findIndex((row) => {
      const ids = [...rows.slice(0, 3), ...rows.slice(6)].map(({ id }) => id);
      return row.previous_message_id !== null && !ids.includes(row.previous_message_id as string);
    });
    expect(pointsAway).toBeGreaterThanOrEqual(0);
    expect(missing).toMatchObject({
      severity: 'warning',
      at: { pointer: `/rows/1/messages/${pointsAway}/previous_message_id` },
    });
    expect(writtenBack(gap)).toEqual(gap);
  });

  test('a page in the middle that says it is the last', () => {
    const odd = [pages[0], page(rows.slice(3, 6)), pages[2]];
    expect(issueOf(odd, 'ankole/cursor-mismatch')).toMatchObject({
      severity: 'warning',
      at: { pointer: '/rows/1/next_cursor' },
    });
  });

  test('a cursor that names a row which its page does not have', () => {
    const odd = [page(rows.slice(0, 3), cursorOf(rows[7])), pages[1], pages[2]];
    expect(issueOf(odd, 'ankole/cursor-mismatch')?.at.pointer).toBe('/rows/0/next_cursor');
    expect(codesOf([...pages])).toEqual(['ankole/checkpoint-without-summary']);
  });

  test('a page given twice counts once, is told, and comes back twice', () => {
    const twice = [pages[0], pages[1], pages[1], pages[2]];
    expect(storylineOf(twice).turns).toEqual(storylineOf([...pages]).turns);
    expect(issueOf(twice, 'ankole/repeated-row')?.message).toContain('3 times');
    expect(writtenBack(twice)).toEqual(twice);
  });

  test('a row that was read again when it had gone on: what was updated last counts', () => {
    const early = {
      ...(rows[1] as JsonObject),
      status: 'generating',
      updated_at: '2026-08-20T08:00:00.000000Z',
    };
    for (const document of [
      [page([rows[0] ?? null, early], 'c'), page(rows.slice(1))],
      [page(rows.slice(1)), page([rows[0] ?? null, early], 'c')],
    ]) {
      const story = storylineOf(document);
      const turn = story.turns.find(({ env }) => env?.request_id === rows[1]?.id);
      expect(getOwn(turn?.env?.state ?? {}, 'status')).toBe(rows[1]?.status);
      expect(codesOf(document)).toContain('ankole/conflicting-rows');
      expect(writtenBack(document)).toEqual(document);
    }
  });

  test('a page of a job given twice counts once, is told, and comes back twice', () => {
    const twice = [jobPages[0], jobPages[1], jobPages[0]] as Json[];
    expect(storylineOf(twice).turns).toEqual(storylineOf(jobPages).turns);
    expect(issueOf(twice, 'ankole/repeated-turn')).toMatchObject({ severity: 'info' });
    expect(writtenBack(twice)).toEqual(twice);
  });

  test('a job read again when it had gone on: its messages count once, and the newer job is the one shown', () => {
    const messages = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `m${index}`,
        role: 'assistant',
        content: `says ${index}`,
      }));
    const job = (count: number, status: string, minute: number) => ({
      job: {
        id: 7,
        status,
        updated_at: `2026-08-20T09:0${minute}:00.000000Z`,
        turns: [
          {
            id: 't',
            status,
            started_at: '2026-08-20T09:00:00.000000Z',
            updated_at: `2026-08-20T09:0${minute}:00.000000Z`,
            trajectory: { format: 'ankole_chatml', version: 1, messages: messages(count) },
          },
        ],
        turns_next_cursor: null,
      },
    });
    for (const document of [
      [job(2, 'running', 1), job(4, 'succeeded', 3)],
      [job(4, 'succeeded', 3), job(2, 'running', 1)],
    ]) {
      const story = storylineOf(document);
      expect(story.turns.map(({ msg }) => msg)).toEqual(['says 0', 'says 1', 'says 2', 'says 3']);
      expect(story.task?.result?.status).toBe('succeeded');
      expect(getOwn(story.turns[0]?.env?.state ?? {}, 'status')).toBe('succeeded');
      expect(writtenBack(document)).toEqual(document);
    }
  });

  test('messages without ids that are equal stay two', () => {
    const turn = (content: string) => ({
      job: {
        id: 7,
        turns: [
          {
            id: 't',
            trajectory: {
              messages: [
                { role: 'user', content },
                { role: 'user', content: 'b' },
              ],
            },
          },
        ],
        turns_next_cursor: null,
      },
    });
    expect(storylineOf([turn('a'), turn('c')]).turns).toHaveLength(4);
    expect(storylineOf([turn('a'), turn('a')]).turns).toHaveLength(2);
    expect(equalJson(writtenBack([turn('a'), turn('c')]) ?? null, [turn('a'), turn('c')])).toBe(true);
  });
});
