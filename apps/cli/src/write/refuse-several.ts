import type { AnyFormat } from '@pchronicle/storyline-core';
import { usageFailure } from '../failure.ts';
import { countOf } from '../terminal/numbers.ts';
import { writableOuters } from './target-format.ts';

/** Refuses to put several documents where one has to stand alone (decision O17). */
export function refuseSeveral(count: number | undefined, format: AnyFormat): never {
  const others = writableOuters(format).filter((outer) => outer !== 'document');
  const instead = others.length === 0 ? '' : `, or choose --container ${others.join(' or ')}`;
  throw usageFailure(
    'cli/several-documents',
    `${count === undefined ? 'several documents' : countOf(count, 'document')} do not fit into one plain document`,
    `write a file each with -o FOLDER/${instead}`,
  );
}
