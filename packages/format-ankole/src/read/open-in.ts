import { appendPointer, type Json } from '@pchronicle/storyline-core';
import { type OpenedArguments, openArguments } from '../encoded/opaque.ts';
import type { Tally } from '../tally.ts';

/** Opens encoded values of arguments that stand in a member of an item, and tells of it. */
export function openIn(args: Json, pointer: string, key: string, found: Tally): OpenedArguments {
  const opened = openArguments(args);
  const at = appendPointer(pointer, key);
  if (Object.keys(opened.opaque).length > 0)
    found.add(
      'info',
      'ankole/opened-value',
      at,
      'a parameter is stored encoded; it was opened, and is encoded again on the way back',
    );
  if (opened.unreadable > 0)
    found.add(
      'warning',
      'ankole/unreadable-value',
      at,
      'a parameter is stored encoded, but is no base64url text of UTF-8; it is kept as it is',
    );
  return opened;
}
