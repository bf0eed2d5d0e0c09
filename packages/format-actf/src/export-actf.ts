import {
  collectIssues,
  type ExportedDocument,
  type ExportOptions,
  exportDocument,
  type Storyline,
} from '@pchronicle/storyline-core';
import { actf } from './format.ts';
import { writeFrame } from './write-frame.ts';

/** The same format with everything in one group: the caller says that these Storylines are one document. */
const oneDocument = { ...actf, writer: { ...actf.writer, group: () => '' } };

/**
 * Writes Storylines as one ACTF document, an attempt each; `text` is "" after an error. Storylines of different runs are an error
 * (decision A10): `exportDocument(actf, storylines)` makes a document of each run.
 *
 * What ACTF cannot express is a `loss` among the issues, with its pointer in the Storyline; `carry` puts it into the document's
 * `_storyline` envelope, so that {@link importActf} gives the Storylines back exactly.
 */
export function exportActf(storylines: readonly Storyline[], options?: ExportOptions): ExportedDocument {
  if (storylines.length > 0) return exportDocument(oneDocument, storylines, options);
  const { report, issues } = collectIssues();
  writeFrame([], report);
  return { text: '', issues };
}
