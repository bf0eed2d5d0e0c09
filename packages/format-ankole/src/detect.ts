import {
  type Detection,
  getOwn,
  type Head,
  isJsonArray,
  isJsonObject,
  type Json,
} from '@pchronicle/storyline-core';
import { CHATML_FORMAT } from './keys.ts';
import { textOf } from './members.ts';
import type { Shape } from './read/parts.ts';
import { shapeOf } from './read/shape.ts';

const WHY: Readonly<Record<Shape, string>> = {
  page: 'a page of conversation messages',
  row: 'rows of conversation messages',
  artifact: 'artifacts of compactions',
  conversation: 'a conversation object',
  response: 'a Response object',
  job: 'a page of a background job',
  item: 'rows of job turn items',
  group: 'rows of job turn messages (trajectory groups)',
  chatml: `an ${CHATML_FORMAT} document`,
};

/** Shapes whose keys are Ankole's alone; other systems have Response objects and conversations too. */
const CERTAIN: ReadonlySet<Shape> = new Set(['page', 'row', 'job', 'item', 'group', 'chatml']);

/** Recognises Ankole's data by its shape, never by the file name. */
export function detect(head: Head): Detection {
  const first = isJsonArray(head.sketch) ? head.sketch[0] : head.sketch;
  const shape = isJsonObject(first) ? shapeOf(first) : undefined;
  if (shape === undefined || !isJsonObject(first))
    return { confidence: 'no', why: 'it has none of the shapes of Ankole data' };
  const isCertain = CERTAIN.has(shape) && (shape !== 'job' || hasTurns(getOwn(first, 'job')));
  const isOwn = shape === 'response' && /^resp_[0-9a-f]{8}-/.test(textOf(first, 'id') ?? '');
  return { confidence: isCertain || isOwn ? 'yes' : 'maybe', why: WHY[shape] };
}

function hasTurns(job: Json | undefined): boolean {
  return isJsonObject(job) && Object.hasOwn(job, 'turns');
}
