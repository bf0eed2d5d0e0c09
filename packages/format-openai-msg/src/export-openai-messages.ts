import {
  type ExportedDocument,
  type ExportOptions,
  exportDocument,
  headOf,
  type Storyline,
} from '@pchronicle/storyline-core';
import { openaiMessages } from './openai-messages.ts';
import { groupOf, sourceDocumentOf } from './write/writer.ts';

/**
 * Writes Storylines as OpenAI Messages rows: `{ "session_steps": [...] }`, or, by `outer`, an array or lines of rows. Losses and
 * errors are issues; Storylines of several source files make several documents, which one text cannot hold (decision O17).
 */
export function exportOpenaiMessages(
  storylines: readonly Storyline[],
  options: ExportOptions = {},
): ExportedDocument {
  const groups = new Map(
    storylines.map((story) => [groupOf(headOf(story)), sourceDocumentOf(headOf(story))]),
  );
  if (groups.size < 2) return exportDocument(openaiMessages, storylines, options);
  const names = [...groups.values()].map((source) =>
    source === undefined ? 'other formats' : JSON.stringify(source),
  );
  return {
    text: '',
    issues: [
      {
        code: 'openai-msg/several-sources',
        severity: 'error',
        message: `the Storylines come from ${groups.size} source documents (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}), and one file holds one; write them into a folder (-o FOLDER)`,
        at: { pointer: '' },
      },
    ],
  };
}
