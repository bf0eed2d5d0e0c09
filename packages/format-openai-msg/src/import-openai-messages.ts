import {
  type ImportedDocument,
  type ImportOptions,
  importDocument,
  type Json,
} from '@pchronicle/storyline-core';
import { rowsFormat } from './rows-format.ts';

/**
 * Reads OpenAI Messages rows that are in memory: text, bytes or parsed JSON, in any container. `source` names the document
 * (`origin.document_id`): a relative path. A session with an error gives no Storyline; the others do, and the issues say why.
 */
export function importOpenaiMessages(
  input: string | Uint8Array | Json,
  options: ImportOptions & { readonly source?: string } = {},
): ImportedDocument {
  return importDocument(rowsFormat, input, options);
}
