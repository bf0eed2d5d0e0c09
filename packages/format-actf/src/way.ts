import {
  fieldsOf,
  getOwn,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Storyline,
  setOwn,
} from '@pchronicle/storyline-core';
import { ACTF, LAYOUT } from './leftovers.ts';

/** The two lists of a step. */
const LISTS = ['tools', 'assistant_content/tool_calls'] as const;

/** What the residuals and notes of a Storyline say about the way back to its document. */
export interface Way {
  /** Whether the Storyline came from ACTF. */
  readonly own: boolean;
  /** Pointer of the attempt in the document. */
  readonly base: string;
  /** The list of a step that was alone, because only its calls have residuals (decision A9). */
  aloneIn(step: number): (typeof LISTS)[number] | undefined;
  /** Residual keys that stand directly in a call. */
  othersOf(step: number, call: number): JsonObject;
  /** What was noted about a key of a call. */
  noteOf(step: number, call: number, key: string): boolean | undefined;
  /** What was noted about a key of an observation. */
  noteOfObservation(step: number, observation: number, key: string): boolean | undefined;
  /** Whether a key of an observation is among the residuals. */
  isKept(step: number, observation: number, key: string): boolean;
}

/** Reads the way back of a Storyline whose attempt stands at `base`. */
export function wayBack(story: Storyline, base: string): Way {
  const steps = `${base}/trajectory/steps/`;
  const notes = fieldsOf(story, LAYOUT) ?? {};
  const calls = new Map<string, MutableJsonObject>();
  const lists = new Set<string>();
  const fields = fieldsOf(story, ACTF) ?? {};
  for (const pointer of Object.keys(fields)) {
    if (!pointer.startsWith(steps)) continue;
    const match = /^((\d+)\/(?:tools|assistant_content\/tool_calls))\/(\d+)\/([^/]*)/.exec(
      pointer.slice(steps.length),
    );
    if (match === null) continue;
    const [path, list = '', , call = '', token = ''] = match;
    lists.add(list);
    if (path.length < pointer.length - steps.length) continue;
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const place = `${list}/${call}`;
    const others = calls.get(place) ?? {};
    setOwn(others, key, getOwn(fields, pointer) ?? null);
    calls.set(place, others);
  }
  const noteAt = (place: string): boolean | undefined => {
    const note: Json | undefined = getOwn(notes, steps + place);
    return typeof note === 'boolean' ? note : undefined;
  };
  const none: JsonObject = {};
  return {
    own: story.origin?.format === 'actf',
    base,
    aloneIn(step) {
      const touched = LISTS.filter((list) => lists.has(`${step}/${list}`));
      return touched.length === 1 ? touched[0] : undefined;
    },
    othersOf: (step, call) =>
      calls.get(`${step}/${LISTS[0]}/${call}`) ?? calls.get(`${step}/${LISTS[1]}/${call}`) ?? none,
    noteOf: (step, call, key) =>
      noteAt(`${step}/${LISTS[0]}/${call}/${key}`) ?? noteAt(`${step}/${LISTS[1]}/${call}/${key}`),
    noteOfObservation: (step, observation, key) => noteAt(`${step}/observation/${observation}/${key}`),
    isKept: (step, observation, key) =>
      Object.hasOwn(fields, `${steps}${step}/observation/${observation}/${key}`),
  };
}
