import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { CHATML_FORMAT, CHATML_VERSION } from '../keys.ts';

/** A ChatML document whose envelope fits, or the members that do not (`messages.0`). */
export type ParsedEnvelope =
  | { readonly ok: true; readonly output: JsonObject }
  | { readonly ok: false; readonly paths: readonly string[] };

const FLAGS = ['redacted', 'content_truncated'] as const;

/**
 * Checks the envelope of a ChatML document as Ankole does before it shows one to a model (notes §4): format and version exactly, flags
 * boolean, messages objects; other members of the document and of its metadata are dropped, message bodies are not looked at.
 */
export function parseEnvelope(document: Json): ParsedEnvelope {
  if (!isJsonObject(document)) return { ok: false, paths: [''] };
  const paths: string[] = [];
  if (getOwn(document, 'format') !== CHATML_FORMAT) paths.push('format');
  if (getOwn(document, 'version') !== CHATML_VERSION) paths.push('version');
  const metadata: MutableJsonObject = {};
  const given = getOwn(document, 'metadata');
  if (isJsonObject(given)) {
    for (const flag of FLAGS) {
      const value = getOwn(given, flag);
      if (typeof value === 'boolean') metadata[flag] = value;
      else if (value !== undefined) paths.push(`metadata.${flag}`);
    }
  } else if (given !== undefined) paths.push('metadata');
  const messages = getOwn(document, 'messages');
  if (isJsonArray(messages)) {
    messages.forEach((message, index) => {
      if (!isJsonObject(message)) paths.push(`messages.${index}`);
    });
  } else paths.push('messages');
  if (paths.length > 0 || !isJsonArray(messages)) return { ok: false, paths };
  return {
    ok: true,
    output: {
      format: CHATML_FORMAT,
      version: CHATML_VERSION,
      ...(given === undefined ? {} : { metadata }),
      messages,
    },
  };
}
