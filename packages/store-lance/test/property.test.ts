import { arbitraryStoryline } from '@pchronicle/conformance';
import { canonicalJson, type Storyline, storylineToJson } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, freshStore, put } from './helpers.ts';

test('G1 G2 G3: any Storyline comes back from the store exactly, and verifies', async () => {
  const { store } = await freshStore();
  let source = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStoryline(), { minLength: 1, maxLength: 8 }), async (storylines) => {
      source += 1;
      const sourceId = `source-${source}`;
      // Each a document of its own, at a position that the store must keep; ids may repeat.
      await put(
        store,
        storylines.map((storyline) => ({ storylines: [storyline] })),
        { sourceId },
      );
      const read = await collect(store.storylines({ sources: [sourceId] }));
      expect(read.map(({ storyline }) => exact(storyline))).toEqual(storylines.map(exact));
      const again = await put(
        store,
        storylines.map((storyline) => ({ storylines: [storyline] })),
        { sourceId },
      );
      expect(again.documents).toMatchObject({ unchanged: storylines.length, new: 0, replaced: 0 });
    }),
    { numRuns: 40 },
  );
  const report = await store.verify();
  expect(report.faults).toEqual([]);
  expect(report.documents).toBeGreaterThan(40);
  await store.close();
});

function exact(storyline: Storyline): string {
  return canonicalJson(storylineToJson(storyline));
}
