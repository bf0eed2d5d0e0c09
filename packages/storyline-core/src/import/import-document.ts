import type { AnyFormat } from '../format.ts';
import type { Issue } from '../issue.ts';
import type { Json } from '../json/value.ts';
import { bytesSource } from '../source/bytes.ts';
import type { Storyline } from '../storyline.ts';
import type { ImportEvent, ImportOptions } from './events.ts';
import { startRun } from './import-run.ts';
import { importSteps } from './import-steps.ts';
import { jsonToBytes } from './json-to-bytes.ts';

/** What {@link importDocument} gives. */
export interface ImportedDocument {
  /** The Storylines of all accepted documents (under `salvage`: of the good records of bad ones, too). */
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
}

/**
 * Imports what is in memory, without waiting: JSON text, bytes, or a parsed value, in any of the format's containers. The same driver
 * as `importStorylines`. `source` names the input in issues. Issues of a parsed value have a pointer but no byte offset.
 */
export function importDocument(
  format: AnyFormat,
  input: string | Uint8Array | Json,
  options: ImportOptions & { readonly source?: string } = {},
): ImportedDocument {
  const issues: Issue[] = [];
  const name = options.source ?? '';
  const isText = typeof input === 'string' || input instanceof Uint8Array;
  const bytes = isText ? input : jsonToBytes(input, format, options, issues);
  if (bytes === undefined) return { storylines: [], issues };
  const source = bytesSource(name, bytes);
  const steps = importSteps(startRun(source, format, options));
  const storylines: Storyline[] = [];
  let pending: Storyline[] = [];
  const take = (event: ImportEvent): void => {
    if (event.type === 'document') pending = [];
    else if (event.type === 'storyline') pending.push(event.storyline);
    else if (event.type === 'issue') issues.push(isText ? event.issue : withoutPosition(event.issue));
    else if (event.type === 'end' && event.accepted) storylines.push(...pending);
  };
  for (let step = steps.next(); step.done !== true; ) {
    const { value } = step;
    if (value.type === 'read') step = steps.next(source.readSync(value.target, value.position));
    else if (value.type === 'wait') {
      issues.push(asynchronous(format, name));
      break;
    } else {
      take(value);
      step = steps.next();
    }
  }
  return { storylines, issues };
}

/** The text of a parsed value is ours, so positions in it mean nothing to the caller. */
function withoutPosition(issue: Issue): Issue {
  const { line: _line, column: _column, offset: _offset, ...at } = issue.at;
  return { ...issue, at };
}

function asynchronous(format: AnyFormat, source: string): Issue {
  const message = `this container of ${format.title} can only be read asynchronously; use importStorylines`;
  return { code: 'core/asynchronous-container', severity: 'error', message, at: { source, pointer: '' } };
}
