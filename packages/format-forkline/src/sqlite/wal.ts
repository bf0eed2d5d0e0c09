import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE = 0x377f0682;
const MAGIC_BIG = 0x377f0683;

/** What became of a write-ahead log. */
export type WalOutcome = { readonly pages: number } | { readonly fault: string };

/**
 * Applies the committed frames of a write-ahead log to a database copy, as a checkpoint of SQLite would (its file format, section 4):
 * frames count up to the last commit whose salts and running checksum are right. Neither of the engines could open the copy of a
 * database in WAL mode everywhere. The log is only read.
 */
export function applyWal(walPath: string, copyPath: string): WalOutcome {
  const wal = openSync(walPath, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(wal, header, 0, HEADER_BYTES, 0) < HEADER_BYTES)
      return { fault: 'it is shorter than its header' };
    const magic = header.readUInt32BE(0);
    if (magic !== MAGIC_LITTLE && magic !== MAGIC_BIG)
      return { fault: 'it does not begin like a write-ahead log' };
    const pageSize = header.readUInt32BE(8);
    if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
      return { fault: `its page size is ${pageSize}` };
    }
    const little = magic === MAGIC_LITTLE;
    let sums = checksum([0, 0], header, 0, 24, little);
    if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) {
      return { fault: 'the checksum of its header is wrong' };
    }
    const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageSize);
    const committed = new Map<number, number>();
    let open = new Map<number, number>();
    let databasePages = 0;
    for (
      let offset = HEADER_BYTES;
      readSync(wal, frame, 0, frame.length, offset) === frame.length;
      offset += frame.length
    ) {
      if (
        frame.readUInt32BE(8) !== header.readUInt32BE(16) ||
        frame.readUInt32BE(12) !== header.readUInt32BE(20)
      )
        break;
      sums = checksum(sums, frame, 0, 8, little);
      sums = checksum(sums, frame, FRAME_HEADER_BYTES, frame.length, little);
      if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break;
      open.set(frame.readUInt32BE(0), offset + FRAME_HEADER_BYTES);
      const size = frame.readUInt32BE(4);
      if (size === 0) continue;
      for (const [page, at] of open) committed.set(page, at);
      open = new Map();
      databasePages = size;
    }
    if (committed.size > 0) {
      // Pages are added one by one, so a log cannot make the file longer than what it holds.
      const most = Math.ceil(statSync(copyPath).size / pageSize) + committed.size;
      if (databasePages > most)
        return { fault: `it claims ${databasePages} pages for a database of at most ${most}` };
      writePages(wal, copyPath, committed, pageSize, databasePages);
    }
    return { pages: committed.size };
  } finally {
    closeSync(wal);
  }
}

function writePages(
  wal: number,
  copyPath: string,
  pages: ReadonlyMap<number, number>,
  pageSize: number,
  databasePages: number,
): void {
  const copy = openSync(copyPath, 'r+');
  try {
    const page = Buffer.alloc(pageSize);
    for (const [number, at] of pages) {
      if (number < 1 || number > databasePages) continue;
      readSync(wal, page, 0, pageSize, at);
      writeSync(copy, page, 0, pageSize, (number - 1) * pageSize);
    }
    if (fstatSync(copy).size > databasePages * pageSize) ftruncateSync(copy, databasePages * pageSize);
  } finally {
    closeSync(copy);
  }
}

/** The running checksum of a log over 8-byte steps, in the byte order that its magic number names. */
function checksum(
  [first, second]: readonly [number, number],
  bytes: Buffer,
  start: number,
  end: number,
  little: boolean,
): readonly [number, number] {
  let s0 = first;
  let s1 = second;
  for (let at = start; at < end; at += 8) {
    const x0 = little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const x1 = little ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    s0 = (s0 + x0 + s1) >>> 0;
    s1 = (s1 + x1 + s0) >>> 0;
  }
  return [s0, s1];
}

const WRITE_VERSION = 18;
const READ_VERSION = 19;

/** Whether a database file says that it is in WAL mode. */
export function isInWalMode(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2);
    return readSync(file, bytes, 0, 2, WRITE_VERSION) === 2 && bytes[READ_VERSION - WRITE_VERSION] === 2;
  } finally {
    closeSync(file);
  }
}

/** Takes a private copy out of WAL mode, so that it can be opened without the shared-memory file. */
export function leaveWalMode(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.from([1, 1]), 0, 2, WRITE_VERSION);
  } finally {
    closeSync(file);
  }
}
