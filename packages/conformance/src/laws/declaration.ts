import { parsePointer } from '@pchronicle/storyline-core';
import type { FormatUnderTest, Law, Material } from '../law.ts';

/** The plain object says about itself what others rely on. */
export function declarationLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  return [
    {
      name: 'declares ids, extensions, containers and fidelity that others can rely on',
      check() {
        const names = [format.id, ...(format.aliases ?? [])];
        for (const name of names) {
          if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
            throw new Error(`the id or alias "${name}" is not kebab-case`);
        }
        if (new Set(names).size !== names.length)
          throw new Error(`ids and aliases repeat: ${names.join(', ')}`);
        if (format.title.trim() === '') throw new Error('the title is empty');
        if (format.extensions.length === 0) throw new Error('there is no file extension');
        for (const extension of format.extensions) {
          if (!/^\.[a-z0-9]/.test(extension))
            throw new Error(`the extension "${extension}" does not start with a dot`);
        }
        for (const pointer of format.fidelity.expresses) {
          if (parsePointer(pointer) === undefined)
            throw new Error(`fidelity.expresses holds "${pointer}", which is no pointer`);
        }
      },
    },
    {
      name: 'keeps what its fidelity says: a round trip needs a reader, a writer and a normalise',
      check() {
        if (format.reader === undefined && format.writer === undefined)
          throw new Error('there is neither a reader nor a writer');
        if (format.fidelity.roundTrip === 'none') return;
        if (format.reader === undefined || format.writer === undefined)
          throw new Error('fidelity.roundTrip asks for a reader and a writer');
        if (material.normalise === undefined)
          throw new Error('fidelity.roundTrip is "normalised": give the material its normalise function');
      },
    },
  ];
}
