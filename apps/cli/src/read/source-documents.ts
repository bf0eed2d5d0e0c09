import { documentIdOf, type SourceDocument, type Storyline } from '@pchronicle/storyline-core';

/**
 * Names the source documents of one input for writers, which group by them (decision A10). A document of the Storyline's own format is one;
 * attempts of one task that came through another format (as rows with `--carry`, or as Storylines) are of one too, until an id comes again.
 */
export function sourceDocuments(input: string): (document: SourceDocument, storyline: Storyline) => string {
  const met = new Map<string, number>();
  return (document, storyline) => {
    if (document.format === storyline.origin?.format) return `${input}#${document.ordinal}`;
    const id = documentIdOf(storyline);
    const ordinal = (met.get(id) ?? 0) + 1;
    met.set(id, ordinal);
    return `${input}#repeated-${ordinal}`;
  };
}
