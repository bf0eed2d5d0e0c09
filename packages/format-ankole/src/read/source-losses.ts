import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@pchronicle/storyline-core';
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

/** Reports the flags of a ChatML header. */
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
}
