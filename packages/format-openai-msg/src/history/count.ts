import type { Json } from '@pchronicle/storyline-core';

/** Whether a value of a layout is a position or a number of things: an integer from 0 on. */
export function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
