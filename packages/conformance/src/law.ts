import type { Fidelity, Format, Json, Storyline } from '@pchronicle/storyline-core';
import type * as fc from 'fast-check';

/** One law that a format must keep. */
export interface Law {
  readonly name: string;
  /** Throws an error that says what was broken, and by which input. */
  check(): void | Promise<void>;
}

/** A legal document of the format, written by hand or taken from a fixture. */
export interface Sample {
  readonly name: string;
  readonly document: Json;
}

/** What the laws are checked with. */
export interface Material {
  /** Legal documents; at least one. */
  readonly samples: readonly [Sample, ...Sample[]];
  /** Generated legal documents; the samples are used when there are none. */
  readonly documents?: fc.Arbitrary<Json>;
  /** The document that a same-format round trip gives, written independently of reader and writer (decision G1). Asked for when `fidelity.roundTrip` is `normalised`. */
  readonly normalise?: (document: Json) => Json;
  /** Storylines that the writer accepts, from other formats; any Storyline with increasing turn ids by default. */
  readonly storylines?: fc.Arbitrary<Storyline>;
  /** Runs of each property; default 100. */
  readonly numRuns?: number;
  /** Seed of the generators; a random one by default, printed when a law is broken. */
  readonly seed?: number;
}

/** A format under test. Frame and part are its own business. */
export type FormatUnderTest = Format & { readonly fidelity: Fidelity };
