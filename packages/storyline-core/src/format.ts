import type { Place, Report } from './issue.ts';
import type { Json, JsonObject } from './json/value.ts';
import type { Source } from './source.ts';
import type { Storyline, StorylineHead } from './storyline.ts';

/** How several documents of a format lie in one file: alone, as elements of an array, or one a line. */
export type Outer = 'document' | 'array' | 'lines';

/**
 * How a format's records lie in bytes. Data: storyline-core implements every kind, a format names those it uses.
 *
 * - `document`: the document is one record.
 * - `entries`: the document is an object; each entry of the map at `member` is one record (ACTF attempts).
 * - `rows`: rows that belong together by `group` are one record, wherever they lie; they are handed over in ascending
 *   `order`. The rows are the elements of the array at `member` of a root object (`in: 'member'`), of a root array, or the lines of a file.
 * - `external`: not JSON; recognised by its first bytes and opened by the format itself.
 */
export type Container =
  | { readonly kind: 'document'; readonly outer: Outer }
  | { readonly kind: 'entries'; readonly outer: Outer; readonly member: string }
  | {
      readonly kind: 'rows';
      readonly in: 'member' | 'array' | 'lines';
      /** Root member that holds the rows; also the member name that residual pointers use when the rows stand in an array or in lines. */
      readonly member: string;
      /** Key of a row that says which record it belongs to, or a pointer to it (`/job/id`); of several, the first that the row has. */
      readonly group: string | readonly string[];
      /** A text that group keys may begin with and that says nothing: `conv_7` and `7` are one group. */
      readonly prefix?: string;
      /** Keys whose texts, where they begin with `prefix`, name rows: rows that share a name are one group, unless two keys forbid it. */
      readonly links?: { readonly keys: readonly string[]; readonly prefix: string };
      /** Member of a row that may have no group key because it is empty: such rows belong to the only group there is, where there is just one. */
      readonly adopts?: string;
      /** Keys of a row that order the rows of one record. */
      readonly order: readonly string[];
    }
  | {
      readonly kind: 'external';
      readonly magic: Uint8Array;
      open(source: Source): AsyncIterable<ExternalDocument>;
    };

/** One document of an external container, already taken apart by the format's own opener. */
export interface ExternalDocument {
  readonly root: JsonObject;
  readonly at: Place;
  values(): Iterable<RecordValue>;
}

/** One JSON value of a record. */
export interface RecordValue {
  readonly value: Json;
  /** 0-based position in the container (row index in the file, element index), 0 for a whole document. */
  readonly index: number;
  /** Its place; `at.pointer` is the absolute pointer of the value in its document. */
  readonly at: Place;
}

/** One trajectory's worth of source, wherever it lies. */
export interface SourceRecord<Frame> {
  readonly frame: Frame;
  /** Display path of the source file. */
  readonly source: string;
  /** Key of the entry, or the group of the rows. */
  readonly key?: string;
  readonly at: Place;
  /** The record's values: one for `document` and `entries`, all rows for `rows`. Parsed one at a time as they are pulled; may be iterated once. */
  values(): Iterable<RecordValue>;
}

/**
 * The root of a document as a reader sees it before any record.
 * `root` holds all members but the one that contains the records (and never `_storyline`, which the driver takes away);
 * for kinds without a root object it is empty.
 */
export interface DocumentRoot {
  readonly root: JsonObject;
  /** Keys of the entries, or the groups, in the order in which the records will come; empty for `document`. */
  readonly keys: readonly string[];
  /** How many rows there are, for `rows`: 0 tells an empty input from one whose rows have no group. */
  readonly count?: number;
  /** How many groups they make, for `rows`; those without a key too. */
  readonly groups?: number;
  /** Where the rows stand, for `rows`; of rows in several files, `array` unless all of them are lines. */
  readonly in?: 'member' | 'array' | 'lines';
  /** Display path of the source file. */
  readonly source: string;
  readonly at: Place;
}

/** Reads one format: pure, synchronous, one record at a time. Pointers given to `report` are absolute in the document. */
export interface Reader<Frame, Part> {
  /**
   * Checks the root and keeps what the records need of it. An error rejects the document; with a frame nevertheless, its entries are
   * decoded all the same, so that their faults are told too.
   */
  frame(document: DocumentRoot, report: Report): Frame | undefined;
  /** Is this record well-formed? Reports every fault it finds; `undefined` rejects the record. */
  decode(record: SourceRecord<Frame>, report: Report): Part | undefined;
  /** What does it mean? Reports what is legal but notable; an error rejects the record. */
  toStorylines(part: Part, report: Report): Iterable<Storyline>;
  /** Carrier pointers in the document of the `index`-th Storyline of a part, for the `_storyline` envelope; the default is the record's own pointer. */
  carriers?(part: Part, index: number): readonly string[];
}

/** One record to write: a keyed entry for `entries`, else a plain value (one for `document`, many for `rows`). */
export interface WrittenRecord {
  readonly key?: string;
  readonly value: Json;
  /** For `rows`: the 0-based position of the row in the document. Rows without one take the places that are free, in order. See {@link Writer.firstPlace}. */
  readonly place?: number;
}

/**
 * Writes one format: pure, synchronous, one Storyline at a time. Pointers given to `report` go into the Storyline.
 * The container, the text and the `_storyline` envelope are the driver's business.
 */
export interface Writer<Frame> {
  /**
   * Which output document a Storyline belongs to: equal text, same document. `index` is its position in the selection; `source` names the
   * source document it came from, where that is known (one task run by two models gives two documents with one id);
   * `container` is what is written, where that is known already.
   */
  group(head: StorylineHead, index: number, source?: string, container?: Container): string;
  /** Sees all heads of one output document; `undefined` (after an error) rejects it. */
  frame(heads: readonly StorylineHead[], report: Report): Frame | undefined;
  /** Root members of the document besides the one that holds the records. */
  root(frame: Frame): JsonObject;
  /** The order in which the Storylines of one document are written; the default keeps the order of the selection. */
  compare?(left: StorylineHead, right: StorylineHead): number;
  /**
   * For `rows` that a Storyline shares a document with: the smallest `place` of its records, which then come in ascending order of it;
   * `undefined` when its records have none. The driver merges the rows of such Storylines, and holds those that overlap.
   */
  firstPlace?(head: StorylineHead): number | undefined;
  /** The records of one Storyline, for the container that is written; `undefined` (after an error) rejects the document. */
  write(
    storyline: Storyline,
    frame: Frame,
    report: Report,
    container?: Container,
  ): Iterable<WrittenRecord> | undefined;
  /** Text of one record value, in pieces; the default is compact exact JSON. */
  encode?(value: Json): Iterable<string>;
  /** Whether a file that is one document ends with a line break; default true. False where the format's own tool writes none. */
  readonly finalNewline?: boolean;
}

/** A shallow picture of an input, made by a skipping scan over all of it: what `detect` looks at. */
export interface Head {
  /** File name, a hint only: content beats it. */
  readonly name?: string;
  /** The first bytes of the input (at most 4 kB). */
  readonly bytes: Uint8Array;
  /** What the bytes look like; `lines` is several JSON values, one a line. */
  readonly shape: 'document' | 'array' | 'lines' | 'text' | 'binary' | 'empty';
  /**
   * The root value, or the first element or line, cut down: nesting below four levels, strings past 256 characters and elements after the
   * first of an array are left out (`[...]` keeps its first element), big maps keep their first 1,000 keys. Root keys are complete.
   */
  readonly sketch: Json | undefined;
  /** For an array or lines: how many elements or non-blank lines there are, when the scan counted them. */
  readonly count?: number;
}

/** A format's opinion about an input. */
export interface Detection {
  readonly confidence: 'no' | 'maybe' | 'yes';
  /** One sentence for a person: what was seen. */
  readonly why: string;
  /** With `no`, for an input that comes near: what it has and what it lacks, told when no format claims the input. */
  readonly hint?: string;
}

/** What a format keeps. Data, enforced by the conformance kit. */
export interface Fidelity {
  /** What a same-format round trip gives: the `normalise` of the document (decision G1). */
  readonly roundTrip: 'normalised' | 'none';
  /** Storyline pointers (array positions as `*`) that the format's writer can express; all others are reported as losses. */
  readonly expresses: readonly string[];
}

/** One format, as a plain object: presence is capability (no `writer`, no export). */
export interface Format<Frame = unknown, Part = unknown> {
  /** Stable id, also the name of its residual source: `actf`. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** File name endings it suggests, the first is used for written files: `.actf.json`. */
  readonly extensions: readonly string[];
  /** The first one is written by default. */
  readonly containers: readonly [Container, ...Container[]];
  readonly schema?: { readonly id: string; readonly version: string };
  readonly fidelity: Fidelity;
  /** Residual sources that the writer restores itself, besides its id; all others travel in the envelope. `*` is every source (Storyline). */
  readonly ownSources?: readonly string[];
  /** Its documents hold all branches of a chain; a format without them is given the chain to the newest leaf (decision K5). */
  readonly branches?: true;
  /** Its documents hold what a model puts out in one round as one message: the turns of such a round are given to it as one. */
  readonly rounds?: true;
  /**
   * Rows of one group may stand in several inputs of one command (pages of a conversation, a file each): such inputs are read as one, by
   * {@link joinSources}. Takes a container of rows in an array.
   */
  readonly joins?: true;
  /** Asks the parser to keep 1.0 apart from 1 (decision G2); default false. */
  readonly keepFloats?: boolean;
  /** Asks the parser to hand over NaN, Infinity and -Infinity as JsonNumbers of that text, without an issue (decision F1); by default they are what the user asks for (G6). */
  readonly nonFinite?: 'keep';
  detect(head: Head): Detection;
  readonly reader?: Reader<Frame, Part>;
  readonly writer?: Writer<Frame>;
}

/** A format whose frame and part types are its own business: what registries and drivers hold (its members are methods, so any format fits). */
export type AnyFormat = Format;

/** What the drivers need of a format: all but what it is told by. A function for one format need not load that. */
export type DrivenFormat<Frame = unknown, Part = unknown> = Omit<
  Format<Frame, Part>,
  'aliases' | 'detect' | 'extensions' | 'fidelity'
>;
