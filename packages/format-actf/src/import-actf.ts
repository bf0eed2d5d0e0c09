import {
  type ImportedDocument,
  type ImportOptions,
  importDocument,
  type Json,
} from '@pchronicle/storyline-core';
import { actf } from './format.ts';

/**
 * Imports ACTF that is in memory: one document, an array of documents or JSON Lines, as text, bytes or a parsed value.
 *
 * The Storylines of all accepted documents come in order of document and attempt key (byte order); a document with an error gives
 * none, unless `salvage` keeps its good attempts. Bad data never throws: it is among the issues.
 */
export function importActf(
  input: string | Uint8Array | Json,
  options?: ImportOptions & { readonly source?: string },
): ImportedDocument {
  return importDocument(actf, input, options);
}
