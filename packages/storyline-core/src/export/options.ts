import type { Outer } from '../format.ts';

/** Options of the writing driver. */
export interface ExportOptions {
  /** How documents (for row formats: rows) lie in a file; the default is the format's first container. */
  readonly outer?: Outer;
  /** Spaces of each level; 0 (the default) writes compact text. Lines are always compact. */
  readonly indent?: number;
  /** A document with a loss fails (decision G14). */
  readonly strict?: boolean;
  /** Makes the way back exact: what rereading would give differently travels in the `_storyline` envelope (decision G14). */
  readonly carry?: boolean;
}
