import type { VerifyFault } from './check-unit.ts';
import type { StoreDamage } from './readable-spans.ts';

export type { VerifyFault } from './check-unit.ts';
export type { StoreDamage } from './readable-spans.ts';

/** What verifying found. */
export interface VerifyReport {
  /** Storylines checked. */
  readonly documents: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly faults: readonly VerifyFault[];
  /** Files, rows and indexes that cannot be read or are wrong, and commits that are lost: what is wrong with no one Storyline alone. */
  readonly damage: readonly StoreDamage[];
  /** What is worth knowing and no fault: rows that no import committed. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

/** Options of verifying. */
export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** Threads that check besides this one, each in some 70 MB; default two where there are two processors. 1: this one checks, as it does a small store. */
  readonly threads?: number;
  /** Called now and then with the Storylines checked so far, and how many there are. */
  onProgress?(checked: number, total: number): void;
  onFault?(fault: VerifyFault): void;
}
