import {
  type ImportedDocument,
  type ImportOptions,
  importDocument,
  type Json,
} from '@pchronicle/storyline-core';
import { ankole } from './ankole.ts';

/**
 * Imports Ankole data that is in memory, as text, bytes or a parsed value: a page, a job, a Response, an `ankole_chatml` document, or an
 * array or lines of those and of rows. Pages of one conversation or job are joined when they stand in one array or in lines.
 */
export function importAnkole(
  input: string | Uint8Array | Json,
  options: ImportOptions & { readonly source?: string } = {},
): ImportedDocument {
  return importDocument(ankole, input, options);
}
