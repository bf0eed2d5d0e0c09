import {
  type ExportedDocument,
  type ExportOptions,
  exportDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import { rowsFormat } from './rows-format.ts';

/**
 * Writes Storylines as OpenAI Messages rows: `{ "session_steps": [...] }`, or, by `outer`, an array or lines of rows. Losses and
 * errors are issues; Storylines of several source files make several documents, which one text cannot hold (`core/several-documents`,
 * decision O17).
 */
export function exportOpenaiMessages(
  storylines: readonly Storyline[],
  options: ExportOptions = {},
): ExportedDocument {
  return exportDocument(rowsFormat, storylines, options);
}
