import type { RunFilter, StoreReads } from '@pchronicle/store-lance';
import type { IdOptions, SelectOptions } from '../commands/select-options.ts';
import type { Context } from '../context.ts';
import { keysWhere } from '../query/keys-where.ts';

/** The store's filter for `--run`, `--session`, `--document`, `--attempt`. */
export function filterOf(options: IdOptions): RunFilter {
  return {
    ...(options.run === undefined ? {} : { runs: options.run }),
    ...(options.session === undefined ? {} : { sessions: options.session }),
    ...(options.document === undefined ? {} : { documents: options.document }),
    ...(options.attempt === undefined ? {} : { attempts: options.attempt }),
  };
}

/** The store's filter for the same and `--where`, which is answered here and now. */
export async function selectionOf(
  reads: StoreReads,
  options: SelectOptions,
  context: Context,
): Promise<RunFilter> {
  const filter = filterOf(options);
  if (options.where === undefined) return filter;
  return { ...filter, documentKeys: await keysWhere(reads, options.where, filter, context) };
}

/** The same filter in words, for messages; empty when everything is meant. */
export function filterWords(options: SelectOptions): string {
  const parts: string[] = [];
  for (const name of ['run', 'session', 'document', 'attempt'] as const) {
    const values = options[name];
    if (values !== undefined)
      parts.push(`${name} ${values.map((value) => JSON.stringify(value)).join(' or ')}`);
  }
  if (options.where !== undefined) parts.push(`what --where asks for (${options.where})`);
  return parts.join(', ');
}
