import {
  type ExportedDocument,
  exportDocument,
  type ImportedDocument,
  type ImportOptions,
  importDocument,
  type Json,
  type Storyline,
} from '@pchronicle/storyline-core';
import { example } from './format.ts';

export type { ExampleDocument, ExampleMessage } from './document.ts';
export { example } from './format.ts';
export { normaliseExample } from './normalise.ts';

/** Reads Example documents from text, bytes or a parsed value. Data never throws: faults are issues. */
export function importExample(input: string | Uint8Array | Json, options?: ImportOptions): ImportedDocument {
  return importDocument(example, input, options);
}

/** Writes Storylines as Example documents; what they have no place for is an issue of severity `loss`. */
export function exportExample(storylines: readonly Storyline[]): ExportedDocument {
  return exportDocument(example, storylines);
}
