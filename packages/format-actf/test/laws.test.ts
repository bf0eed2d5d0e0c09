import type { Sample } from '@pchronicle/conformance';
import { describeFormat } from '@pchronicle/conformance/vitest';
import { actf, normaliseActf } from '../src/index.ts';
import { arbitraryActf } from './generate-actf.ts';
import { casesOf } from './support/cases.ts';

// The samples are every legal document among the conformance cases; the laws are checked on generated ones and damaged copies of them.
const samples = casesOf('actf')
  .filter(({ op }) => op === 'import' || op === 'roundtrip')
  .map(({ name, input }): Sample => ({ name, document: input }));
const [first, ...others] = samples;
if (first === undefined) throw new Error('there are no conformance cases');

describeFormat(actf, {
  samples: [first, ...others],
  documents: arbitraryActf(),
  normalise: normaliseActf,
  numRuns: 60,
});
