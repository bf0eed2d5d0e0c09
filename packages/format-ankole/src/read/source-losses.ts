import {
  appendPointer,
  compareNumbers,
  getOwn,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  stringify,
} from '@pchronicle/storyline-core';
import { CHATML_FORMAT, CHATML_VERSION } from '../keys.ts';
import { objectIn } from '../members.ts';
import type { Tally } from '../tally.ts';

/** Reports texts that were cut or blackened before they were stored (notes §5). No recursion. */
export function noteSourceLosses(value: Json, pointer: string, found: Tally): void {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      if (next.includes('...[truncated]'))
        found.add(
          'warning',
          'ankole/truncated-text',
          pointer,
          'a text in it was cut before it was stored ("...[truncated]")',
        );
      if (next.includes('[REDACTED]'))
        found.add(
          'warning',
          'ankole/redacted-text',
          pointer,
          'a secret in it was taken out before it was stored ("[REDACTED]")',
        );
    } else if (isJsonArray(next)) for (const element of next) pending.push(element);
    else if (isJsonObject(next)) for (const member of Object.values(next)) pending.push(member);
  }
}

/** Reports members of the header of a turn's trajectory that are not as version 1 has them; they are kept. */
export function noteHeader(header: JsonObject, pointer: string, found: Tally): void {
  const note = (at: string, expected: string): void =>
    found.add('warning', 'ankole/not-canonical', at, `${expected}, but this is something else; it is kept`);
  for (const [key, expected] of [
    ['format', CHATML_FORMAT],
    ['version', CHATML_VERSION],
  ] as const)
    if (Object.hasOwn(header, key) && getOwn(header, key) !== expected)
      note(appendPointer(pointer, key), `${key} of a trajectory is ${expected}`);
  const metadata = objectIn(header, 'metadata');
  for (const key of ['redacted', 'content_truncated'])
    if (Object.hasOwn(metadata, key) && typeof getOwn(metadata, key) !== 'boolean')
      note(appendPointer(pointer, 'metadata', key), `${key} is true or false`);
}

/** Reports what a ChatML header says is missing. */
export function noteFlags(header: JsonObject, pointer: string, found: Tally): void {
  const metadata = objectIn(header, 'metadata');
  if (metadata.redacted === true)
    found.add(
      'warning',
      'ankole/redacted',
      pointer,
      'secrets were taken out of this trajectory before it was stored',
    );
  if (metadata.content_truncated === true)
    found.add(
      'warning',
      'ankole/content-truncated',
      pointer,
      'content of this trajectory was cut before it was stored',
    );
  const omitted = ['omitted_messages', 'omitted_items'].filter((key) => isSome(getOwn(metadata, key)));
  if (omitted.length > 0)
    found.add(
      'warning',
      'ankole/messages-omitted',
      appendPointer(pointer, 'metadata', ...omitted.slice(0, 1)),
      `messages of this trajectory were left out before it was stored: ${omitted.map((key) => `${key} is ${stringify(getOwn(metadata, key) ?? null)}`).join(', ')}`,
    );
}

function isSome(value: Json | undefined): boolean {
  return isNumeric(value) && compareNumbers(value, 0) > 0;
}
