/** Bytes of a block: a bigger one waits less often, but for longer. */
const BLOCK = 1024 * 1024;

/** Reads at a position into a buffer. */
type Read = (target: Uint8Array, position: number) => Promise<number>;

/** A block of the file that was asked for. */
interface Block {
  readonly start: number;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * Makes reads in sequence fast: while one block is looked at, the next one is read. Reads that jump, and reads of a block or more, go
 * through. Calls are served one after the other.
 */
export function readAhead(read: Read, size: number): Read {
  const buffers: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  let turn: 0 | 1 = 0;
  let start = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  let next: Block | undefined;
  /** Where the last read that went through ended: one that goes on there begins a sequence. */
  let passed = 0;
  let queue: Promise<unknown> = Promise.resolve();

  /** Asks for the block at a position, in the buffer that is not looked at. */
  function prefetch(position: number): Block | undefined {
    if (position >= size) return undefined;
    turn = turn === 0 ? 1 : 0;
    const length = Math.min(BLOCK, size - position);
    if (buffers[turn].length < length) buffers[turn] = new Uint8Array(length);
    const buffer = buffers[turn].subarray(0, length);
    const filled = read(buffer, position).then((count) => buffer.subarray(0, count));
    // A failure is heard by whoever awaits the block; if nobody does, it is none.
    filled.catch(() => undefined);
    return { start: position, bytes: filled };
  }

  async function serve(target: Uint8Array, position: number): Promise<number> {
    if (position < start || position >= start + bytes.length) {
      const isNext = next?.start === position;
      const goesOn = isNext || position === start + bytes.length || position === passed;
      if (!goesOn || (!isNext && target.length >= BLOCK)) {
        const count = await read(target, position);
        passed = position + count;
        return count;
      }
      // A block that is not wanted any more may still be being written to.
      if (!isNext) await next?.bytes.catch(() => undefined);
      const block = isNext ? next : prefetch(position);
      next = undefined;
      if (block === undefined) return 0;
      bytes = await block.bytes;
      start = position;
      if (bytes.length === 0) return 0;
      next = prefetch(position + bytes.length);
    }
    const part = bytes.subarray(position - start, position - start + target.length);
    target.set(part);
    return part.length;
  }

  return (target, position) => {
    const served = queue.then(() => serve(target, position));
    queue = served.catch(() => undefined);
    return served;
  };
}
