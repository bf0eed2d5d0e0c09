import type { AnyFormat } from '@pchronicle/storyline-core';
import type { FormatUnderTest, Law, Material } from './law.ts';
import { containerLaws } from './laws/containers.ts';
import { declarationLaws } from './laws/declaration.ts';
import { detectionLaws } from './laws/detection.ts';
import { lossLaws } from './laws/losses.ts';
import { robustLaws } from './laws/robust.ts';
import { roundTripLaws } from './laws/round-trip.ts';

/** All laws that apply to a format: those about reading when it has a reader, about writing when it has a writer. */
export function lawsOf(format: AnyFormat, material: Material): readonly Law[] {
  const tested: FormatUnderTest = format;
  return [declarationLaws, detectionLaws, containerLaws, robustLaws, roundTripLaws, lossLaws].flatMap(
    (laws) => laws(tested, material),
  );
}
