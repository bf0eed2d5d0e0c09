import { type AnyFormat, documentIdOf, type Outer, type StorylineHead } from '@pchronicle/storyline-core';
import { safeRelativePath, withoutExtension } from '../io/file-name.ts';
import type { Outgoing } from './writing.ts';

/**
 * The file name, relative to the output folder, for one document: that of the input it came from with the ending of the new format; where
 * each attempt makes a document of its own, the attempt is added. Without an input (an export), the id of the run that a document holds
 * several attempts of, else that of its trajectory. It never leaves the folder.
 */
export function outputName(
  { document, batch }: Outgoing,
  outer: Outer,
  format: AnyFormat,
  knownExtensions: readonly string[],
): { readonly stem: string; readonly extension: string } {
  const ending = format.extensions[0] ?? '.json';
  const extension = outer === 'lines' ? ending.replace(/\.json$/, '.jsonl') : ending;
  const [head] = document.heads;
  if (head === undefined) return { stem: 'trajectory', extension };
  const source = batch.sourceOf(document.indexes[0] ?? 0);
  if (source === undefined)
    return { stem: safeRelativePath(flat(idOf(document.heads) ?? documentIdOf(head))), extension };
  const isOneOfMany = document.count > 1 && document.heads.length === 1 && head.attempt_id !== undefined;
  const attempt = isOneOfMany ? `.${flat(head.attempt_id ?? '')}` : '';
  return { stem: safeRelativePath(`${withoutExtension(source, knownExtensions)}${attempt}`), extension };
}

// Several attempts of one run make a document of the run.
function idOf(heads: readonly StorylineHead[]): string | undefined {
  const [head, ...others] = heads;
  return others.length > 0 && others.every(({ run }) => run === head?.run) ? head?.run : undefined;
}

// An id makes no folders.
function flat(id: string): string {
  return id.replaceAll('/', '_');
}
