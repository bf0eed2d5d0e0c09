/**
 * Bytes to read, by position. Files, Blobs and byte arrays fit; a stream is spooled to a file first.
 * A source never changes while it is read.
 */
export interface Source {
  /** Display path as the user gave it; becomes `Place.source`. */
  readonly name: string;
  /** Length in bytes. */
  readonly size: number;
  /** Absolute path, where the source is a file: lets a format look for companion files (SQLite's `-wal`). */
  readonly path?: string;
  /** The files that a source is made of, one behind the other, where it is made of several (see `joinSources`). */
  readonly parts?: readonly SourcePart[];
  /** Fills `target` from `position` on; returns the bytes read, 0 at the end. */
  read(target: Uint8Array, position: number): number | Promise<number>;
  /** The same without waiting, where the medium allows it (files, byte arrays): lets rows be pulled one by one. */
  readSync?(target: Uint8Array, position: number): number;
}

/** One file of a source that is made of several: its display path, and where it lies in the whole. */
export interface SourcePart extends ByteRange {
  readonly name: string;
}

/** A half-open range of bytes of a source. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
