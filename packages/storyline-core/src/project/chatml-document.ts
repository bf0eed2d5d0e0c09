import type { Json, JsonObject } from '../json/value.ts';
import type { Turn } from '../storyline.ts';

/** A ChatML document: `messages` have a `role` and `content`; calls and results are joined by id. */
export interface ChatmlDocument extends JsonObject {
  readonly format: 'ankole_chatml';
  readonly version: 1;
  readonly messages: readonly JsonObject[];
}

/** What a message came of. */
export interface MessageSource {
  readonly turn: Turn;
  /** The result, of a message that is one. */
  readonly result?: Json;
}

/** A ChatML document and, for each message, what it came of. */
export interface ChatmlProjection {
  readonly document: ChatmlDocument;
  readonly sources: readonly MessageSource[];
}

/** Takes a message, and the result that it is. */
export type Add = (message: JsonObject, result?: Json) => void;
