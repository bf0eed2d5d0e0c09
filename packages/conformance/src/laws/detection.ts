import { bytesSource, type Detection, type Json, readHead, stringify } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryJson } from '../arbitrary/json.ts';
import type { FormatUnderTest, Law, Material } from '../law.ts';
import { documentsOf, runs } from '../run.ts';

async function detect(format: FormatUnderTest, input: Json | Uint8Array): Promise<Detection> {
  const bytes = input instanceof Uint8Array ? input : stringify(input);
  const detection = format.detect(await readHead(bytesSource('input', bytes)));
  if (!['no', 'maybe', 'yes'].includes(detection.confidence))
    throw new Error(`the confidence is "${detection.confidence}"`);
  if (detection.why.trim() === '') throw new Error('the detection does not say why');
  return detection;
}

/** Its own documents are recognised by content alone; anything else gives an answer, never an exception. */
export function detectionLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  return [
    {
      name: 'recognises its own documents by their content',
      async check() {
        for (const { name, document } of material.samples) {
          const { confidence, why } = await detect(format, document);
          if (confidence === 'no') throw new Error(`the sample "${name}" is not recognised: ${why}`);
        }
        const property = fc.asyncProperty(documentsOf(material), async (document) => {
          const { confidence, why } = await detect(format, document);
          if (confidence === 'no') throw new Error(`a legal document is not recognised: ${why}`);
        });
        await fc.assert(property, runs(material));
      },
    },
    {
      name: 'has an opinion about any input, and does not claim what is empty, text or binary',
      async check() {
        await fc.assert(
          fc.asyncProperty(arbitraryJson(), async (value) => void (await detect(format, value))),
          runs(material),
        );
        const strange = ['', ' \n', 'Hello, world.', '{"unfinished": [', '\u0000\u0001\u0002'].map((text) =>
          new TextEncoder().encode(text),
        );
        for (const bytes of [...strange, new Uint8Array([0xff, 0xfe, 0, 0x80])]) {
          const { confidence } = await detect(format, bytes);
          if (confidence === 'yes') throw new Error(`claims the bytes ${JSON.stringify([...bytes])}`);
        }
      },
    },
  ];
}
