import type { Json, JsonInteger, TimeValue } from '@pchronicle/storyline-core';

/** One message of an Example document. */
export interface ExampleMessage {
  readonly id: JsonInteger;
  readonly from: string;
  readonly text: Json;
  readonly at?: TimeValue;
}

/** An Example document whose known keys have been checked. */
export interface ExampleDocument {
  readonly conversation: string;
  readonly agent: string;
  readonly messages: readonly ExampleMessage[];
  /** Pointers and values of all keys that the format does not know. */
  readonly unknown: readonly (readonly [pointer: string, value: Json])[];
}

/** The keys that the format knows at the root and in a message; everything else is a residual. */
export const knownKeys = {
  root: ['conversation', 'agent', 'messages'],
  message: ['id', 'from', 'text', 'at'],
} as const;
