import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const UNKNOWN_COUNT = 0xffffffff;

/**
 * Undoes an interrupted transaction in a database copy, as SQLite would on opening (its file format, section 3): the pages that a hot
 * rollback journal saved go back, and the file gets its size again. Records count while their checksum is right. The WebAssembly
 * engine takes its own lock for that of a living writer and would leave the copy torn. The journal is only read.
 */
export function rollBack(journalPath: string, copyPath: string): void {
  const journal = openSync(journalPath, 'r');
  const copy = openSync(copyPath, 'r+');
  try {
    const length = fstatSync(journal).size;
    let offset = 0;
    let originalPages: number | undefined;
    let pageSize = 0;
    while (offset < length) {
      const header = Buffer.alloc(28);
      if (readSync(journal, header, 0, 28, offset) < 28 || !header.subarray(0, 8).equals(MAGIC)) break;
      const nonce = header.readUInt32BE(12);
      const sectorSize = header.readUInt32BE(20);
      // Only the first header has to be right about sizes; the others repeat it.
      if (originalPages === undefined) {
        originalPages = header.readUInt32BE(16);
        pageSize = header.readUInt32BE(24);
      }
      if (!isPowerOfTwo(pageSize, 512, 65_536) || !isPowerOfTwo(sectorSize, 32, 65_536)) break;
      // The file cannot have been longer than it is and what the journal saved of it.
      if (originalPages * pageSize > fstatSync(copy).size + length) break;
      const record = Buffer.alloc(4 + pageSize + 4);
      const start = offset + sectorSize;
      const fitting = Math.floor((length - start) / record.length);
      const named = header.readUInt32BE(8);
      const count = named === UNKNOWN_COUNT ? fitting : Math.min(named, fitting);
      for (let index = 0; index < count; index += 1) {
        readSync(journal, record, 0, record.length, start + index * record.length);
        if (record.readUInt32BE(4 + pageSize) !== checksum(record, pageSize, nonce)) break;
        const page = record.readUInt32BE(0);
        if (page < 1 || page > originalPages) continue;
        writeSync(copy, record, 4, pageSize, (page - 1) * pageSize);
      }
      const end = start + count * record.length;
      offset = Math.ceil(end / sectorSize) * sectorSize;
    }
    const originalSize = (originalPages ?? 0) * pageSize;
    if (originalSize > 0 && fstatSync(copy).size > originalSize) ftruncateSync(copy, originalSize);
  } finally {
    closeSync(copy);
    closeSync(journal);
  }
}

function isPowerOfTwo(value: number, least: number, most: number): boolean {
  return value >= least && value <= most && (value & (value - 1)) === 0;
}

/** The nonce plus every 200th byte of the page, from its end. */
function checksum(record: Buffer, pageSize: number, nonce: number): number {
  let sum = nonce;
  for (let at = pageSize - 200; at > 0; at -= 200) sum = (sum + (record[4 + at] ?? 0)) >>> 0;
  return sum;
}
