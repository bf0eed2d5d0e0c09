import { type AnyFormat, chooseContainer, standsAlone } from '@pchronicle/storyline-core';
import { usageFailure } from '../failure.ts';
import { countOf } from '../terminal/numbers.ts';
import { writableOuters } from './target-format.ts';

/** Refuses to put several documents where one has to stand alone (decision O17). */
export function refuseSeveral(count: number | undefined, format: AnyFormat): never {
  // Rows of several source documents have no file in common, whatever it is made of.
  const others = writableOuters(format).filter(
    (outer) => !standsAlone(outer, chooseContainer(format, outer)),
  );
  const instead = others.length === 0 ? '' : `, or choose --container ${others.join(' or ')}`;
  throw usageFailure(
    'cli/several-documents',
    `${count === undefined ? 'several documents' : countOf(count, 'document')} do not fit into one plain document`,
    `write a file each with -o FOLDER/${instead}`,
  );
}
