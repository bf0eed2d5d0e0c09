const FLUSH_AT = 64 * 1024;

/** Gathers small pieces of text into writes of 64 kB; a surrogate pair split between two pieces stays one character. */
export function bufferedText(put: (bytes: Uint8Array) => Promise<void>): {
  write(data: string | Uint8Array): Promise<void>;
  flush(): Promise<void>;
} {
  let held = '';
  const flush = async (all: boolean): Promise<void> => {
    const last = held.charCodeAt(held.length - 1);
    const open = !all && last >= 0xd800 && last <= 0xdbff;
    const ready = open ? held.slice(0, -1) : held;
    held = open ? held.slice(-1) : '';
    if (ready !== '') await put(Buffer.from(ready, 'utf8'));
  };
  return {
    async write(data) {
      if (typeof data === 'string') {
        held += data;
        if (held.length >= FLUSH_AT) await flush(false);
        return;
      }
      await flush(true);
      await put(data);
    },
    flush: () => flush(true),
  };
}
