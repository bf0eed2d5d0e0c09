import type { Json, JsonObject, MutableJsonObject, Report, ToolCall, Turn } from '@pchronicle/storyline-core';

import type { ColumnStyle } from './columns.ts';

/** The shapes in which Ankole's data comes. */
export type Shape =
  | 'page'
  | 'row'
  | 'artifact'
  | 'conversation'
  | 'response'
  | 'job'
  | 'item'
  | 'group'
  | 'chatml';

/** One recognised value of a document. */
export interface Part {
  readonly shape: Shape;
  /** With the JSON of its columns read. */
  readonly value: JsonObject;
  /** Its absolute pointer in the document. */
  readonly pointer: string;
  /** As it stands in the document. */
  readonly given: Json;
  /** How the columns are spelled that are texts of JSON. */
  readonly styles: ReadonlyMap<string, readonly ColumnStyle[]>;
}

/** How the parts lie in their document: alone, as elements of an array, or as lines. */
export type Form = 'single' | 'array' | 'lines';

/** A document, taken apart. */
export interface AnkolePart {
  readonly form: Form;
  /** They are some of several that lie so: one alone makes a document of its own. */
  readonly isPicked: boolean;
  readonly parts: readonly Part[];
  /** It is told already that they lie in an array of several trajectories. */
  readonly isTold: boolean;
  readonly source: string;
  /** It is only read to see what comes back: the way back is not asked for. */
  readonly isReread?: true;
}

/** Parts that make one Storyline. */
export interface Group {
  readonly key: string;
  readonly parts: readonly Part[];
}

/** What the builders of Storylines get besides a group. */
export interface GroupContext {
  /** The document that the group alone makes: what its Storyline is to give back; `undefined` where nobody asks for it. */
  readonly own: Json | undefined;
  /** How its parts lay, for the layout. */
  readonly places: JsonObject;
  /** Display path of the source. */
  readonly source: string;
  readonly report: Report;
}

/** A turn under construction. */
export type MutableTurn = { -readonly [K in keyof Turn]: Turn[K] };

/** A call under construction. */
export type MutableCall = { -readonly [K in keyof ToolCall]: ToolCall[K] };

/** A call of a draft, which gets its `tcid` when all literal ids are known. */
export interface DraftCall {
  readonly call: MutableCall;
  /** The source's id; `undefined` when it has no usable one. */
  readonly literal: string | undefined;
  /** Where the id stands in the source. */
  readonly pointer: string;
  readonly scope: string;
  readonly family: string;
  /** Its result, where its item has that too. */
  readonly own?: MutableJsonObject;
}

/** A result of a draft, which gets its `source_call_id` when calls have their ids. */
export interface DraftResult {
  readonly result: { [key: string]: JsonObject[string] };
  readonly literal: string | undefined;
  readonly pointer: string;
  readonly scope: string;
  readonly family: string;
}

/** What one item or message becomes. */
export interface Draft {
  readonly turn: MutableTurn;
  readonly calls: readonly DraftCall[];
  readonly results: readonly DraftResult[];
}

/** A draft turn that says nothing yet. */
export function blankTurn(src: string): MutableTurn {
  return { id: 0, src, msg: null };
}
