import { type Json, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryJson } from '../arbitrary/json.ts';
import { arbitraryMutation } from '../arbitrary/mutation.ts';
import type { FormatUnderTest, Law, Material } from '../law.ts';
import { documentsOf, firstError, importChecked, runs } from '../run.ts';

/** Data never throws: whatever comes in, Storylines or located issues come out. */
export function robustLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  if (format.reader === undefined) return [];
  const documents = documentsOf(material);
  // Taken before any law has run: whichever lets a prototype be written into, this one sees it.
  const before = prototypeKeys();
  const each = (inputs: fc.Arbitrary<Json | Uint8Array>): void =>
    fc.assert(
      fc.property(inputs, (input) => void importChecked(format, input)),
      runs(material),
    );
  return [
    {
      name: 'accepts its own documents, and gives valid Storylines',
      check() {
        for (const { name, document } of material.samples) {
          const { accepted, issues } = importChecked(format, document);
          if (!accepted) throw new Error(`the sample "${name}" is rejected: ${firstError(issues)}`);
        }
        const property = fc.property(documents, (document) => {
          const { accepted, issues } = importChecked(format, document);
          if (!accepted) throw new Error(`a legal document is rejected: ${firstError(issues)}`);
        });
        fc.assert(property, runs(material));
      },
    },
    {
      name: 'answers any JSON with Storylines or issues that point into it',
      check: () => each(arbitraryJson()),
    },
    {
      name: 'answers a damaged document with Storylines or issues that point into it',
      check: () => each(arbitraryMutation(documents)),
    },
    {
      name: 'answers a document cut anywhere, or with a byte broken, with a located error or Storylines',
      check() {
        const broken = fc
          .tuple(documents, fc.nat(), fc.integer({ min: -1, max: 255 }))
          .map(([document, at, byte]) => {
            const bytes = new TextEncoder().encode(stringify(document));
            const place = at % bytes.length;
            if (byte < 0) return bytes.slice(0, place);
            bytes[place] = byte;
            return bytes;
          });
        each(broken);
      },
    },
    {
      name: 'never writes into a prototype',
      check() {
        const hostile = arbitraryMutation(documents.map((document) => withHostileMembers(document)));
        each(hostile);
        const after = prototypeKeys();
        if (before !== after) throw new Error(`a prototype has changed: ${before} became ${after}`);
      },
    },
  ];
}

function prototypeKeys(): string {
  return [Object.prototype, Array.prototype, String.prototype, Map.prototype]
    .map((prototype) => Reflect.ownKeys(prototype).map(String).sort().join(' '))
    .join('; ');
}

/** The document with `__proto__` and `constructor` members at its root, as a parser would give them. */
function withHostileMembers(document: Json): Json {
  const text = stringify(document);
  if (!text.startsWith('{') || text === '{}') return document;
  return JSON.parse(
    `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${text.slice(1)}`,
  ) as Json;
}
