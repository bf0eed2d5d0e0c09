import { isJsonArray, isNumeric, type Json, type JsonObject } from './value.ts';

// Differs in every process, so that no input can be made to collide. Results never depend on it: equality is checked.
const seed = Math.floor(Math.random() * 0x7fffffff);

/** A number of 53 bits that equal JSON values share (as {@link equalJson} compares them), in this process; equality still has to be checked. */
export function fingerprint(value: Json): number {
  let low = seed;
  let high = 0;
  const values: Json[] = [value];
  const paths: number[] = [seed];
  while (values.length > 0) {
    const next = values.pop() as Json;
    const path = paths.pop() as number;
    if (typeof next === 'string' || isNumeric(next)) {
      // Equal numbers have one nearest double, however they are spelled.
      const hash = typeof next === 'string' ? hashText(next, path) : hashText(String(Number(next)), path ^ 5);
      low = (low + hash) | 0;
      high = (high + Math.imul(hash ^ 0x9e3779b9, 0x85ebca6b)) | 0;
    } else if (isJsonArray(next)) {
      low = (low + Math.imul(path ^ next.length, 0x27d4eb2f)) | 0;
      for (let index = 0; index < next.length; index += 1) {
        values.push(next[index] as Json);
        paths.push(Math.imul(path ^ (index + 1), 0x165667b1));
      }
    } else if (typeof next === 'object' && next !== null) {
      const keys = Object.keys(next);
      low = (low + Math.imul(path ^ keys.length, 0x2545f491)) | 0;
      for (const key of keys) {
        values.push((next as JsonObject)[key] as Json);
        paths.push(hashText(key, path ^ 3));
      }
    } else low = (low + Math.imul(path, next === null ? 7 : next ? 11 : 13)) | 0;
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}

function hashText(text: string, start: number): number {
  let hash = start ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
}
