import { compareText, type Format } from '@pchronicle/storyline-core';
import { attemptIdOf, groupOf } from './attempt-ids.ts';
import { decodeAttempt } from './decode.ts';
import { detectActf } from './detect.ts';
import { ACTF_VERSION, type ActfFrame, type ActfPart } from './document.ts';
import { readFrame } from './frame.ts';
import { ACTF, LAYOUT } from './leftovers.ts';
import { toStorylines } from './to-storylines.ts';
import { writeAttempt } from './write-attempt.ts';
import { writeFrame } from './write-frame.ts';

/** ACTF v1.0 (RFC-0004): a benchmark task with its attempts; each attempt is one Storyline. */
export const actf = {
  id: ACTF,
  title: 'ACTF v1.0 benchmark attempts',
  extensions: ['.actf.json'],
  containers: [
    { kind: 'entries', outer: 'document', member: 'attempts' },
    { kind: 'entries', outer: 'array', member: 'attempts' },
    { kind: 'entries', outer: 'lines', member: 'attempts' },
  ],
  schema: { id: 'urn:pchronicle:actf:v1.0', version: ACTF_VERSION },
  fidelity: {
    roundTrip: 'normalised',
    expresses: [
      '/task/llm/k',
      '/task/result/correct',
      '/task/result/final_answer',
      '/task/result/ground_truth',
      '/task/result/score',
      '/task/result/max_score',
      '/task/result/status',
      '/task/result/error',
      '/task/result/retry_count',
      '/task/result/retry_counts',
      '/turns/*/id',
    ],
  },
  ownSources: [LAYOUT],
  detect: detectActf,
  reader: { frame: readFrame, decode: decodeAttempt, toStorylines },
  writer: {
    group: groupOf,
    frame: writeFrame,
    root: (frame) => frame.root,
    compare: (left, right) => compareText(attemptIdOf(left), attemptIdOf(right)),
    write: writeAttempt,
  },
} as const satisfies Format<ActfFrame, ActfPart>;
