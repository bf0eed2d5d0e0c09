import type { RunFilter } from '../read/run-filter.ts';
import type { Snippet } from './snippet.ts';

/** Options of a search. */
export interface FindOptions {
  /** Best matches wanted; default 20. */
  readonly limit?: number;
  /** Only Storylines that this selects. */
  readonly filter?: RunFilter;
  /** Only calls of this tool. */
  readonly tool?: string;
  /** Only turns of this source (`user`, `agent`, …); calls and prompts are left out. */
  readonly source?: string;
  /** All words must stand in the same turn or call (default), or any. */
  readonly words?: 'all' | 'any';
  readonly signal?: AbortSignal;
}

/** A turn or a call that was found; or a Storyline itself (`story`), by its prompts, notes, answer or error. */
export interface FoundText {
  readonly kind: 'turn' | 'call' | 'story';
  readonly documentKey: string;
  readonly documentId: string;
  readonly session: string;
  readonly run?: string;
  /** Id and 0-based position of the turn, for turns and calls. */
  readonly turnId?: bigint;
  readonly turn?: number;
  /** `src` of the turn, for turns. */
  readonly source?: string;
  /** Tool and call id, for calls. */
  readonly tool?: string;
  readonly callId?: string;
  /** How well it matches; only comparable within one search. 0 for a part of a word, in scripts without spaces. */
  readonly score: number;
  readonly snippet: Snippet;
}
