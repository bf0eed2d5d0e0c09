/** The first bits behind the point of a root of each of the first 64 primes: the constants of FIPS 180-4, §4.2.2 and §5.3.3. */
function rootsOfPrimes(root: (prime: number) => number, count: number): Int32Array {
  const roots = new Int32Array(count);
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.some((prime) => number % prime === 0)) continue;
    roots[primes.length] = (root(number) % 1) * 2 ** 32;
    primes.push(number);
  }
  return roots;
}

let constants: Int32Array | undefined;

/** A SHA-256 in the making (FIPS 180-4): bytes are taken as they come. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  /** The 32 bytes of the hash; nothing can be added behind it. */
  digest(): Uint8Array;
}

/** Starts a SHA-256. Our own, because hashing in a browser is either asynchronous or several times as large as this. */
export function sha256(): Sha256 {
  constants ??= rootsOfPrimes(Math.cbrt, 64);
  const k = constants;
  const state = rootsOfPrimes(Math.sqrt, 8);
  const block = new Uint8Array(64);
  const words = new Int32Array(64);
  let used = 0;
  let length = 0;

  const mix = (bytes: Uint8Array, at: number): void => {
    for (let i = 0; i < 16; i += 1) {
      const from = at + 4 * i;
      words[i] =
        ((bytes[from] as number) << 24) |
        ((bytes[from + 1] as number) << 16) |
        ((bytes[from + 2] as number) << 8) |
        (bytes[from + 3] as number);
    }
    for (let i = 16; i < 64; i += 1) {
      const early = words[i - 15] as number;
      const late = words[i - 2] as number;
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
    }
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let i = 0; i < 64; i += 1) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + (k[i] as number) + (words[i] as number)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    state[0] = (state[0] as number) + a;
    state[1] = (state[1] as number) + b;
    state[2] = (state[2] as number) + c;
    state[3] = (state[3] as number) + d;
    state[4] = (state[4] as number) + e;
    state[5] = (state[5] as number) + f;
    state[6] = (state[6] as number) + g;
    state[7] = (state[7] as number) + h;
  };

  const update = (bytes: Uint8Array): void => {
    length += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      if (used === 0 && bytes.length - at >= 64) {
        mix(bytes, at);
        at += 64;
        continue;
      }
      const part = bytes.subarray(at, at + 64 - used);
      block.set(part, used);
      at += part.length;
      used = (used + part.length) % 64;
      if (used === 0) mix(block, 0);
    }
  };

  return {
    update,
    digest() {
      const bits = length * 8;
      const padding = new Uint8Array(used < 56 ? 64 - used : 128 - used);
      const end = new DataView(padding.buffer);
      padding[0] = 0x80;
      end.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
      end.setUint32(padding.length - 4, bits % 2 ** 32);
      update(padding);
      const hash = new DataView(new ArrayBuffer(32));
      state.forEach((word, i) => {
        hash.setInt32(4 * i, word);
      });
      return new Uint8Array(hash.buffer);
    },
  };
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
