import { isJsonObject, type Json } from '@pchronicle/storyline-core';
import { textOf } from '../members.ts';
import { CLIENT_OUTPUTS } from '../provider/families.ts';

/**
 * Which items of a row are input: the first `count`; without a count, results that clients send and messages that are not the
 * assistant's. A row that is still generating has input only (notes §1.2).
 */
export function sidesOf(
  items: readonly Json[],
  count: Json | undefined,
  status: string,
): readonly ('input' | 'output')[] {
  return items.map((item, index) => {
    if (status === 'generating') return 'input';
    if (typeof count === 'number') return index < count ? 'input' : 'output';
    if (!isJsonObject(item)) return 'output';
    const role = textOf(item, 'role') ?? '';
    const isInput =
      CLIENT_OUTPUTS.has(textOf(item, 'type') ?? '') || ['user', 'system', 'developer'].includes(role);
    return isInput ? 'input' : 'output';
  });
}
