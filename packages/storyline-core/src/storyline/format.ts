import type { Detection, Format, Head } from '../format.ts';
import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';
import { documentIdOf, STORYLINE_VERSION, type Storyline } from '../storyline.ts';
import { hideNonFinite, showNonFinite } from './non-finite.ts';
import { readStoryline } from './read.ts';
import { writeStoryline } from './write.ts';

/** Storyline v1 itself as a format (storyline-v1): one document, an array of them, or one a line. */
export const storylineFormat: Format<object, Storyline> = {
  id: 'storyline',
  title: 'Storyline v1',
  extensions: ['.storyline.json'],
  containers: [
    { kind: 'document', outer: 'document' },
    { kind: 'document', outer: 'array' },
    { kind: 'document', outer: 'lines' },
  ],
  schema: { id: 'urn:pchronicle:storyline:v1', version: STORYLINE_VERSION },
  fidelity: { roundTrip: 'normalised', expresses: [''] },
  ownSources: ['*'],
  branches: true,
  keepFloats: true,
  detect,
  reader: {
    frame: () => ({}),
    decode(record, report) {
      for (const { value, at } of record.values()) {
        const storyline = readStoryline(value, report, at.pointer);
        return storyline === undefined ? undefined : showNonFinite(storyline);
      }
      return undefined;
    },
    toStorylines: (storyline) => [storyline],
  },
  writer: {
    // Each Storyline is a document of its own, also when two have one id.
    group: (head, index) => `${index} ${documentIdOf(head)}`,
    frame: () => ({}),
    root: () => ({}),
    write: (storyline) => [{ value: writeStoryline(hideNonFinite(storyline)) }],
  },
};

function detect(head: Head): Detection {
  const first: Json | undefined = isJsonArray(head.sketch) ? head.sketch[0] : head.sketch;
  const version = isJsonObject(first) ? getOwn(first, 'schema_version') : undefined;
  if (typeof version === 'string' && version.startsWith('storyline/')) {
    return { confidence: 'yes', why: `schema_version is "${version}"` };
  }
  return { confidence: 'no', why: 'no schema_version that starts with storyline/' };
}
