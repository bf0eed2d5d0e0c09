import {
  bytesSource,
  equalJson,
  exportValue,
  importStorylines,
  isJsonObject,
  type Json,
  type Storyline,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryMutation } from '../arbitrary/mutation.ts';
import { differences } from '../differences.ts';
import { deepFreeze } from '../freeze.ts';
import type { FormatUnderTest, Law, Material } from '../law.ts';
import { documentsOf, firstError, type Imported, importChecked, runs } from '../run.ts';

/** Throws with the first differences when two values are not equal. */
export function mustEqual(found: Json, wanted: Json, what: string): void {
  const different = differences(wanted, found);
  if (different.length === 0) return;
  const shown = different
    .slice(0, 5)
    .map(({ pointer, left, right }) => `at "${pointer}": expected ${show(left)}, found ${show(right)}`);
  throw new Error(`${what}, in ${different.length} places: ${shown.join('; ')}`);
}

function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** What the format's own writer gives for what its reader gave. */
function writtenBack(format: FormatUnderTest, imported: Imported): Json {
  const { value, issues } = exportValue(format, deepFreeze(imported.storylines));
  if (value === undefined) throw new Error(`what the reader gave cannot be written: ${firstError(issues)}`);
  return value;
}

/** export(import(document)) = normalise(document), for whatever the reader accepts (decision G1). */
export function roundTripLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  const { normalise } = material;
  if (format.reader === undefined) return [];
  const documents = documentsOf(material);
  const laws: Law[] = [
    {
      name: 'reads the same from a stream of bytes as from memory',
      async check() {
        const property = fc.asyncProperty(documents, async (document) => {
          const source = bytesSource('input', stringify(document));
          const streamed: Storyline[] = [];
          for await (const event of importStorylines(source, format)) {
            if (event.type === 'storyline') streamed.push(event.storyline);
          }
          const { storylines } = importChecked(format, document);
          mustEqual(
            streamed.map(storylineToJson),
            storylines.map(storylineToJson),
            'the stream gives other Storylines',
          );
        });
        await fc.assert(property, runs(material));
      },
    },
  ];
  if (format.writer === undefined || normalise === undefined || format.fidelity.roundTrip === 'none')
    return laws;
  const roundTrip = (document: Json): void =>
    mustEqual(
      writtenBack(format, importChecked(format, document)),
      normalise(deepFreeze(document)),
      'export(import(d)) is not normalise(d)',
    );
  return [
    ...laws,
    {
      name: 'export(import(d)) is normalise(d), for its own documents (G1)',
      check() {
        for (const { name, document } of material.samples) {
          try {
            roundTrip(document);
          } catch (error) {
            throw new Error(`sample "${name}": ${(error as Error).message}`, { cause: error });
          }
        }
        fc.assert(fc.property(documents, roundTrip), runs(material));
      },
    },
    {
      name: 'export(import(d)) is normalise(d), for every damaged document that is still accepted (G1, G9)',
      check() {
        const property = fc.property(arbitraryMutation(documents), (document) => {
          if (!isJsonObject(document)) return;
          if (importChecked(format, document).accepted) roundTrip(document);
        });
        fc.assert(property, runs(material));
      },
    },
    {
      name: 'normalise is idempotent, and leaves its input as it is (G1)',
      check() {
        const property = fc.property(documents, (document) => {
          const once = normalise(deepFreeze(document));
          mustEqual(normalise(deepFreeze(once)), once, 'normalise(normalise(d)) is not normalise(d)');
        });
        fc.assert(property, runs(material));
      },
    },
    {
      name: 'writes its own writing again as it is',
      check() {
        const property = fc.property(documents, (document) => {
          const first = writtenBack(format, importChecked(format, document));
          mustEqual(
            writtenBack(format, importChecked(format, first)),
            first,
            'the second writing is another one',
          );
        });
        fc.assert(property, runs(material));
      },
    },
    {
      name: 'tells the samples apart: the round trip is no constant',
      check() {
        const written = material.samples.map(({ document }) =>
          writtenBack(format, importChecked(format, document)),
        );
        const wanted = material.samples.map(({ document }) => normalise(document));
        for (const [index, one] of written.entries()) {
          const twin = wanted.findIndex(
            (other, at) => at !== index && equalJson(other, one) && !equalJson(other, wanted[index] ?? null),
          );
          if (twin >= 0) throw new Error(`sample ${index} comes back as sample ${twin}`);
        }
      },
    },
  ];
}
