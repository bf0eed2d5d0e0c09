import type { Json, JsonInteger, JsonObject, TimeValue, ToolCall } from '@pchronicle/storyline-core';
import type { RowRecipe } from '../history/recipe.ts';
import type { Extra, MessageView } from '../message/view.ts';

/** What the records need of their document: its source, and the root members beside the rows. */
export interface Frame {
  readonly source: string;
  readonly root: JsonObject;
}

/** Which call a new result answers: one of a known message, one of the row's own output, or none that a Storyline has. */
export type Answer = { readonly ref: number; readonly call: number } | { readonly own: number } | undefined;

/** A tool result that a row brings. */
export interface NewResult {
  readonly callId: string;
  readonly content: Json;
  readonly answer: Answer;
  /** Pointer of the message inside the row. */
  readonly pointer: string;
}

/** A row, with nothing of the history it repeats. */
export interface RowPart {
  /** Position in the file. */
  readonly index: number;
  /** Pointer of the row in its document. */
  readonly pointer: string;
  readonly step: JsonInteger;
  readonly ts?: TimeValue;
  /** Content of the request turn. */
  readonly request?: { readonly content: Json };
  readonly output: MessageView;
  /** The calls that markup in an output without structured ones spells (decision O4). */
  readonly spelled: readonly ToolCall[];
  /** Pointer of the output inside the row. */
  readonly outputPointer: string;
  /** Position of the output among the session's messages. */
  readonly outputRef: number;
  readonly results: readonly NewResult[];
  /** Residuals of the messages: pointers inside the row. */
  readonly leftovers: Extra[];
  /** The row without its messages, and with `meta_json` and `env_state` decoded. */
  readonly row: JsonObject;
  readonly meta?: JsonObject;
  readonly state?: JsonObject;
  readonly recipe?: RowRecipe;
  /** Whether the row's messages are its request and nothing else, with nothing strange in it. */
  readonly isAlone: boolean;
}

/** A message of the first row that stands before its last user message. */
export interface ContextPart {
  readonly view: MessageView;
  readonly ref: number;
  /** Pointer of the message inside the first row. */
  readonly pointer: string;
}

/** One session, decoded. */
export interface SessionPart {
  readonly frame: Frame;
  readonly session: string;
  readonly context: readonly ContextPart[];
  readonly rows: readonly RowPart[];
}
