import {
  type ExportedDocument,
  type ExportOptions,
  exportDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import { ankole } from './ankole.ts';

/**
 * Writes Storylines as Ankole data: those that came of it in their source's own shape, all others as `ankole_chatml` documents of
 * version 1. Several documents are written with `outer: 'lines'`, one a line.
 */
export function exportAnkole(
  storylines: readonly Storyline[],
  options: ExportOptions = {},
): ExportedDocument {
  return exportDocument(ankole, storylines, options);
}
