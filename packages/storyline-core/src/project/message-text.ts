import { stringify } from '../json/stringify.ts';
import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';

/** A value as message text: text as it is, null as "", content parts that are all text (or none) as those that say something, joined by line breaks, anything else as JSON. */
export function messageText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isJsonArray(value)) {
    const texts = value.map((part) => (isJsonObject(part) ? getOwn(part, 'text') : undefined));
    if (texts.every((text) => typeof text === 'string'))
      return texts.filter((text) => text !== '').join('\n');
  }
  return stringify(value);
}

/** What a user or system message holds: text, or a list of typed parts as it is. */
export function messageContent(value: Json): Json {
  const parts =
    isJsonArray(value) &&
    value.every((part) => isJsonObject(part) && typeof getOwn(part, 'type') === 'string');
  return parts ? value : messageText(value);
}
