import {
  bytesSource,
  importStorylines,
  type Json,
  type Outer,
  type Storyline,
  storylineToJson,
  stringify,
} from '@pchronicle/storyline-core';
import type { FormatUnderTest, Law, Material } from '../law.ts';
import { importChecked } from '../run.ts';
import { mustEqual } from './round-trip.ts';

/** Documents written the way an outer container holds them. */
function wrap(outer: Outer, documents: readonly Json[]): string {
  const texts = documents.map((document) => stringify(document));
  if (outer === 'array') return `[${texts.join(',\n')}]\n`;
  return outer === 'lines' ? texts.map((text) => `${text}\n`).join('\n') : (texts[0] ?? '');
}

/** Every container that the format names is read, with all its documents, and a bad neighbour harms none (decision G7). */
export function containerLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  if (format.reader === undefined) return [];
  const outers = new Set(
    format.containers.flatMap((container) => ('outer' in container ? [container.outer] : [])),
  );
  const read = async (text: string): Promise<Storyline[]> => {
    const storylines: Storyline[] = [];
    let held: Storyline[] = [];
    for await (const event of importStorylines(bytesSource('input', text), format)) {
      if (event.type === 'storyline') held.push(event.storyline);
      else if (event.type === 'end') {
        if (event.accepted) storylines.push(...held);
        held = [];
      }
    }
    return storylines;
  };
  const documents = material.samples.map((sample) => sample.document);
  const alone = (some: readonly Json[]): Json =>
    some.flatMap((document) => importChecked(format, document).storylines.map(storylineToJson));
  return [...outers].flatMap((outer): readonly Law[] => [
    {
      name: `reads its documents from a container of kind "${outer}"`,
      async check() {
        const held = outer === 'document' ? documents.slice(0, 1) : documents;
        mustEqual(
          (await read(wrap(outer, held))).map(storylineToJson),
          alone(held),
          'the container gives other Storylines',
        );
      },
    },
    ...(outer === 'document'
      ? []
      : [
          {
            name: `reads the good documents beside a bad one in a container of kind "${outer}" (G7)`,
            async check() {
              const [first = null] = documents;
              const text = wrap(outer, [first, { 'not a document': true }, ...documents]);
              mustEqual(
                (await read(text)).map(storylineToJson),
                alone([first, ...documents]),
                'a bad neighbour changes what is read',
              );
            },
          },
        ]),
  ]);
}
