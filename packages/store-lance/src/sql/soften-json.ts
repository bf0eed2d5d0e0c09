const ESCAPE = Buffer.from('\\ud');
const REPLACEMENT = Buffer.from('\\ufffd');

/**
 * Replaces lone surrogate escapes in exact JSON text by U+FFFD, in place. DuckDB refuses a whole query at the first one, and only SQL needs
 * this: reading Storylines back never goes through here. The store writes surrogates as escapes only where they are lone.
 */
export function softenJson(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = text.indexOf(ESCAPE); at >= 0; at = text.indexOf(ESCAPE, at + 1)) {
    const digit = text[at + 3] ?? 0;
    // d8…df: `8`, `9`, `a` to `f`.
    if (!(digit === 0x38 || digit === 0x39 || (digit >= 0x61 && digit <= 0x66))) continue;
    let slashes = 0;
    while (text[at - 1 - slashes] === 0x5c) slashes += 1;
    // After an odd number of backslashes this one is itself escaped: plain text that only looks like an escape.
    if (slashes % 2 === 0) REPLACEMENT.copy(text, at);
  }
}
