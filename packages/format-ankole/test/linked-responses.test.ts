import {
  bytesSource,
  equalJson,
  exportDocument,
  findGroups,
  getOwn,
  importStorylines,
  type Json,
  type JsonObject,
  joinSources,
  type Storyline,
  stringify,
  viewTurns,
} from '@pchronicle/storyline-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ankole, importAnkole, normaliseAnkole } from '../src/index.ts';
import { codesOf, issueOf, storylineOf, storylinesOf, writtenBack } from './support/round-trip.ts';

/** A Response as the API gives it: what it answers, and which Response it continues. */
const response = (id: string, previous: string | null, conversation?: string): JsonObject => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: 1_755_676_800 + Number(id.replace(/\D/g, '')),
  status: 'completed',
  previous_response_id: previous === null ? null : `resp_${previous}`,
  ...(conversation === undefined ? {} : { conversation: { id: `conv_${conversation}` } }),
  output: [
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: `says ${id}`, annotations: [] }],
    },
  ],
});
const said = ({ session, turns }: Storyline) => [session, turns.map(({ msg }) => msg)];
const chain = [response('1', null), response('2', '1'), response('3', '2')];

async function readFiles(files: readonly Json[]): Promise<readonly Storyline[]> {
  const sources = files.map((value, at) => bytesSource(`f${at}.json`, stringify(value, { indent: 1 })));
  const storylines: Storyline[] = [];
  for await (const event of importStorylines(joinSources(sources), ankole))
    if (event.type === 'storyline') storylines.push(event.storyline);
  return storylines;
}

describe('Responses that name no conversation', () => {
  test('are one trajectory with those that they continue, in whatever order, and come back', () => {
    for (const order of [chain, [...chain].reverse()]) {
      expect(said(storylineOf(order))).toEqual(['1', ['says 1', 'says 2', 'says 3']]);
      expect(codesOf(order)).toEqual([]);
      expect(writtenBack(order)).toEqual(order);
      const lines = order.map((value) => stringify(value)).join('\n');
      expect(importAnkole(lines).storylines.map(said)).toEqual([said(storylineOf(order))]);
    }
  });

  test('are so from files of their own', async () => {
    expect((await readFiles(chain)).map(said)).toEqual([['1', ['says 1', 'says 2', 'says 3']]]);
    const groups = await Promise.all(
      chain.map((value) => findGroups(bytesSource('f', stringify(value)), ankole)),
    );
    expect(groups.map(({ ids }) => ids)).toEqual([
      ['>resp_1'],
      ['>resp_2', '>resp_1'],
      ['>resp_3', '>resp_2'],
    ]);
    expect(await findGroups(bytesSource('f', stringify(response('2', '1', 'c'))), ankole)).toEqual({
      ids: ['"c', '>resp_2', '>resp_1'],
      canBeAdopted: false,
    });
  });

  test('belong to the conversation of the Response that they continue, or that continues them', async () => {
    const mixed = [response('1', null), response('2', '1', 'c'), response('3', '2')];
    expect(said(storylineOf(mixed))).toEqual(['c', ['says 1', 'says 2', 'says 3']]);
    expect(writtenBack(mixed)).toEqual(mixed);
    expect((await readFiles(mixed)).map(said)).toEqual([['c', ['says 1', 'says 2', 'says 3']]]);
  });

  test('that two conversations claim belong to the first; the other says what it lacks', () => {
    const claimed = [response('1', null, 'a'), response('2', '1'), response('3', '2', 'b')];
    expect(storylinesOf(claimed).map(said)).toEqual([
      ['a', ['says 1', 'says 2']],
      ['b', ['says 3']],
    ]);
    const issue = issueOf(claimed, 'ankole/missing-row');
    expect([issue?.severity, issue?.at.pointer]).toEqual(['warning', '/rows/2/previous_response_id']);
    expect(issue?.message).toContain('another conversation');
    expect(normaliseAnkole(claimed)).toEqual([[claimed[0], claimed[1]], claimed[2]]);
  });

  test('with branches are one, of which the newest leaf is shown; what continues a missing one is told', () => {
    const branches = [response('2', 'gone'), response('3', '2'), response('4', 'gone')];
    const story = storylineOf(branches);
    const shown = viewTurns(story, 'leaf', () => undefined);
    expect(shown.map(({ msg }) => msg)).toEqual(['says 4']);
    expect(issueOf(branches, 'ankole/missing-row')?.message).toContain('2 times in all');
  });

  test('in a circle are one, and the circle is told', () => {
    const circle = [response('1', '2'), response('2', '1')];
    expect(said(storylineOf(circle))).toEqual(['1', ['says 1', 'says 2']]);
    expect(codesOf(circle)).toEqual(['ankole/chain-cycle']);
    expect(codesOf(response('1', '1'))).toEqual(['ankole/chain-cycle']);
  });

  test('are not joined to others by an id without its prefix, nor by one that is no text', () => {
    const others = [response('1', null), { ...response('2', null), previous_response_id: '1' }];
    expect(storylinesOf(others)).toHaveLength(2);
    expect(
      storylinesOf([response('1', null), { ...response('2', null), previous_response_id: 1 }]),
    ).toHaveLength(2);
  });

  test('in any tangle are gathered as normalise says, in files as in one array', async () => {
    const name = fc.constantFrom('1', '2', '3', '4', '5', '6');
    const responses = fc.uniqueArray(
      fc
        .tuple(name, fc.option(name), fc.option(fc.constantFrom('a', 'b'), { nil: undefined }))
        .map(([id, previous, conversation]) => response(id, previous, conversation)),
      { minLength: 1, maxLength: 6, selector: (value) => getOwn(value, 'id') },
    );
    await fc.assert(
      fc.asyncProperty(responses, async (document) => {
        const { storylines } = importAnkole(document);
        const written = exportDocument(ankole, storylines, { outer: 'lines' }).text;
        const lines = written.trimEnd().split('\n');
        const normal = normaliseAnkole(document) as readonly Json[];
        if (storylines.length > 1)
          expect(
            equalJson(
              lines.map((line) => JSON.parse(line) as Json),
              normal.flat(),
            ),
          ).toBe(true);
        else expect(normal).toEqual(document);
        expect((await readFiles(document)).map(said)).toEqual(storylines.map(said));
      }),
      { numRuns: 200 },
    );
  });
});
