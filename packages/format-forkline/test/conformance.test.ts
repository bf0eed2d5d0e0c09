import { describeFormat } from '@pchronicle/conformance/vitest';
import { type Json, parseJson } from '@pchronicle/storyline-core';
import { forkline, importForkline, normaliseForkline } from '../src/index.ts';
import { artifactText } from './support/artifact-text.ts';
import { fixtureText } from './support/fixtures.ts';

function exact(text: string): Json {
  return parseJson(text, { keepFloats: true, nonFinite: 'keep' }).value ?? null;
}

/** Artifacts that load, have the fields by which one is recognised, and no numbers that JSON.parse (which the laws use) does not know. */
function isLegal(text: string): boolean {
  if (!text.includes('"run_id"') || !text.includes('"events"') || /NaN|Infinity/.test(text)) return false;
  const document = JSON.parse(text) as object;
  return 'run_id' in document && 'events' in document && importForkline(text).storylines.length === 1;
}

const sample = (name: string, file: string) => ({ name, document: exact(fixtureText(file)) });

describeFormat(forkline, {
  samples: [
    sample('a recorded run', '07-db-recorder-recording_v0/run-a.run.json'),
    sample('a traced run', '11-db-tracer-1.0/trace-a.run.json'),
    sample('unknown types and fields', '12-json-unknown-types-and-fields/artifact.json'),
    sample('recording_v0', '16-migrate-recording_v0-json/plain.json'),
  ],
  documents: artifactText.filter(isLegal).map(exact),
  normalise: normaliseForkline,
});
