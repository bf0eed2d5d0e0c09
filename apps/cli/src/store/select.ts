import type { RunFilter } from '@pchronicle/store-lance';
import type { SelectOptions } from '../commands/select-options.ts';

/** The store's filter for `--run`, `--session`, `--document`, `--attempt`. */
export function filterOf(options: SelectOptions): RunFilter {
  return {
    ...(options.run === undefined ? {} : { runs: options.run }),
    ...(options.session === undefined ? {} : { sessions: options.session }),
    ...(options.document === undefined ? {} : { documents: options.document }),
    ...(options.attempt === undefined ? {} : { attempts: options.attempt }),
  };
}

/** The same filter in words, for messages; empty when everything is meant. */
export function filterWords(options: SelectOptions): string {
  const parts: string[] = [];
  for (const name of ['run', 'session', 'document', 'attempt'] as const) {
    const values = options[name];
    if (values !== undefined)
      parts.push(`${name} ${values.map((value) => JSON.stringify(value)).join(' or ')}`);
  }
  return parts.join(', ');
}
