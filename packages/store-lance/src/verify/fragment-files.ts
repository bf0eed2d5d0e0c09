import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreContext } from '../context.ts';
import type { TableName } from '../layout.ts';

/** The data files of each fragment of a version of a table, as paths in the store. Empty where that is not a local one, or the manifest cannot be read. */
export async function fragmentFiles(
  { location }: Pick<StoreContext, 'location'>,
  name: TableName,
  version: number,
): Promise<ReadonlyMap<bigint, readonly string[]>> {
  const found = new Map<bigint, readonly string[]>();
  if (location.folder === undefined) return found;
  const versions = join(location.folder, `${name}.lance`, '_versions');
  const reversed = String(0xffff_ffff_ffff_ffffn - BigInt(version)).padStart(20, '0');
  for (const file of [`${reversed}.manifest`, `${version}.manifest`]) {
    try {
      for (const [fragment, paths] of filesIn(await readFile(join(versions, file))))
        found.set(
          fragment,
          paths.map((path) => `${name}.lance/data/${path}`),
        );
      return found;
    } catch {
      // Of another naming, or unreadable: then files are not named.
    }
  }
  return found;
}

/** The fragments of a manifest: Lance's API names them nowhere. It ends with its place in the file; fragments are its field 2. */
function* filesIn(manifest: Buffer): Generator<[fragment: bigint, files: string[]]> {
  const start = Number(manifest.readBigUInt64LE(manifest.length - 16));
  const message = manifest.subarray(start + 4, start + 4 + manifest.readUInt32LE(start));
  for (const fragment of fieldsOf(message, 2)) {
    if (typeof fragment === 'bigint') continue;
    const [id] = fieldsOf(fragment, 1);
    const files = [...fieldsOf(fragment, 2)].flatMap((file) =>
      typeof file === 'bigint' ? [] : [...fieldsOf(file, 1)].map(String),
    );
    yield [typeof id === 'bigint' ? id : 0n, files];
  }
}

/** The values of a field of a Protocol Buffers message: numbers, or bytes. */
function* fieldsOf(message: Buffer, wanted: number): Generator<bigint | Buffer> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    let value: bigint | Buffer = 0n;
    if ((tag & 7) === 0) value = varint();
    else {
      const length = (tag & 7) === 2 ? Number(varint()) : (tag & 7) === 1 ? 8 : 4;
      value = message.subarray(at, at + length);
      at += length;
    }
    if (tag >> 3 === wanted) yield value;
  }
}
