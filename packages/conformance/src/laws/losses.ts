import {
  exportDocument,
  getPointer,
  type Issue,
  type Json,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryStoryline } from '../arbitrary/storyline.ts';
import { differences } from '../differences.ts';
import { deepFreeze } from '../freeze.ts';
import type { FormatUnderTest, Law, Material } from '../law.ts';
import { covers, pointerExists } from '../pointers.ts';
import { firstError, importChecked, runs } from '../run.ts';
import { mustEqual } from './round-trip.ts';

interface Crossing {
  readonly original: Json;
  readonly reread: Json;
  readonly losses: readonly Issue[];
}

/** A Storyline written by the format and read again; `undefined` when the writer refuses it with an error. */
function cross(format: FormatUnderTest, storyline: Storyline, carry: boolean): Crossing | undefined {
  const { text, issues } = exportDocument(format, deepFreeze([storyline]), { carry });
  if (issues.some((issue) => issue.severity === 'error')) return undefined;
  const { storylines, accepted, issues: faults } = importChecked(format, new TextEncoder().encode(text));
  if (!accepted) throw new Error(`the format does not read what it wrote: ${firstError(faults)}`);
  const [reread] = storylines;
  if (reread === undefined || storylines.length > 1)
    throw new Error(`one Storyline was written, ${storylines.length} are read`);
  const losses = issues.filter((issue) => issue.severity === 'loss');
  return { original: storylineToJson(storyline), reread: storylineToJson(reread), losses };
}

/** Runs a check over foreign Storylines, and fails when the writer refuses so many that the check shows nothing. */
function overStorylines(
  format: FormatUnderTest,
  material: Material,
  carry: boolean,
  check: (crossing: Crossing) => void,
): void {
  let accepted = 0;
  let refused = 0;
  const storylines = material.storylines ?? arbitraryStoryline({ turnIds: 'increasing' });
  const property = fc.property(storylines, (storyline) => {
    const crossing = cross(format, storyline, carry);
    if (crossing === undefined) refused += 1;
    else {
      accepted += 1;
      check(crossing);
    }
  });
  fc.assert(property, runs(material));
  if (accepted < refused)
    throw new Error(
      `the writer refused ${refused} of ${accepted + refused} Storylines: give the material others`,
    );
}

/** What a target cannot carry is named, every time and only then (decision G14); with `carry`, nothing is missing. */
export function lossLaws(format: FormatUnderTest, material: Material): readonly Law[] {
  if (format.reader === undefined || format.writer === undefined) return [];
  return [
    {
      name: 'reports every part of a Storyline that does not come back (G14)',
      check: () =>
        overStorylines(format, material, false, ({ original, reread, losses }) => {
          for (const { pointer, left } of differences(original, reread)) {
            if (left === undefined) continue; // the reader derived a value; nothing of the original is missing
            const named = losses.some(({ at }) => covers(at.pointer, pointer) || covers(pointer, at.pointer));
            if (!named) throw new Error(`"${pointer}" does not come back, and no loss names it`);
          }
        }),
    },
    {
      name: 'reports no loss of what comes back, and none outside the Storyline (G14)',
      check: () =>
        overStorylines(format, material, false, ({ original, reread, losses }) => {
          const gone = differences(original, reread).map(({ pointer }) => pointer);
          for (const { at, code } of losses) {
            if (!pointerExists(original, at.pointer))
              throw new Error(`${code} names "${at.pointer}", which the Storyline does not have`);
            if (!gone.some((pointer) => covers(at.pointer, pointer) || covers(pointer, at.pointer))) {
              throw new Error(
                `${code} names "${at.pointer}" (${JSON.stringify(getPointer(original, at.pointer))}), which comes back as it was`,
              );
            }
          }
        }),
    },
    {
      name: 'loses nothing that its fidelity says it expresses',
      check: () =>
        overStorylines(format, material, false, ({ losses }) => {
          const broken = losses.find(({ at }) =>
            format.fidelity.expresses.some((promised) => covers(promised, at.pointer)),
          );
          if (broken !== undefined)
            throw new Error(`${broken.code} names "${broken.at.pointer}", which fidelity.expresses promises`);
        }),
    },
    {
      name: 'with carry, every Storyline comes back exactly (G14)',
      check: () =>
        overStorylines(format, material, true, ({ original, reread }) =>
          mustEqual(reread, original, 'the Storyline comes back changed'),
        ),
    },
  ];
}
