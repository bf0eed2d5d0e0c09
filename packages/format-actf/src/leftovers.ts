import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  residuals,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import type { Shape } from './shapes.ts';

/** Source name of the residuals that RFC-0004 lists. */
export const ACTF = 'actf';

/**
 * Source name of the notes that the writer takes for the way back where it could not tell (decision G19): pointer of a key → whether
 * the source had it. Only `name`, `input` and observation `content` need it.
 */
export const LAYOUT = 'actf-layout';

/** Source name of what the events of an OpenClaw run hold beyond the turns made of them (decision A12). */
export const OPENCLAW = 'openclaw';

/** Pointer in a Storyline of its residual for a pointer of the document. */
export function residualPlace(pointer: string): string {
  return appendPointer(`/unknown_fields/sources/${ACTF}/fields`, pointer);
}

/** Gathers what of one attempt has no Storyline slot. */
export interface Leftovers {
  /** A residual at its pointer in the document. */
  keep(pointer: string, value: Json): void;
  /** Every key of an object that its shape does not know. */
  keepOthers(object: JsonObject, shape: Shape, pointer: string): void;
  /** Whether the source had a key of which the writer would believe the opposite. */
  note(pointer: string, present: boolean): void;
  /** What an event array holds beyond its turns. */
  keepEvent(pointer: string, value: Json): void;
  build(): Pick<StorylineHead, 'unknown_fields' | 'unknown_key_counts'>;
}

/** Starts the leftovers of one attempt of the document with this task id. */
export function gatherLeftovers(taskId: string): Leftovers {
  const actf = residuals(ACTF, taskId);
  const layout = residuals(LAYOUT, taskId);
  const openclaw = residuals(OPENCLAW, taskId);
  const keep = actf.add;
  return {
    keep,
    keepOthers(object, shape, pointer) {
      for (const key of Object.keys(object)) {
        if (!Object.hasOwn(shape, key)) keep(appendPointer(pointer, key), getOwn(object, key) ?? null);
      }
    },
    note: layout.add,
    keepEvent: openclaw.add,
    build() {
      const blocks = [actf, layout, openclaw].flatMap((source) => source.build() ?? []);
      if (blocks.length === 0) return {};
      return {
        unknown_fields: {
          sources: Object.assign({}, ...blocks.map((block) => block.unknown_fields.sources)),
        },
        unknown_key_counts: Object.assign({}, ...blocks.map((block) => block.unknown_key_counts)),
      };
    },
  };
}

/** Takes leftovers and forgets them: for reading what was just written. */
export const noLeftovers: Leftovers = {
  keep() {},
  keepOthers() {},
  note() {},
  keepEvent() {},
  build: () => ({}),
};
