import { getOwn, type JsonObject, type MutableJsonObject } from '@pchronicle/storyline-core';
import { ROW_METRICS, STATE_METRICS } from '../keys.ts';
import type { RowPart } from './part.ts';

/** The metrics of a response turn: the row's own keys, then those of `env_state` that the row does not have (RFC-0009, metric keys). */
export function readMetrics(part: Pick<RowPart, 'row' | 'state'>): JsonObject | undefined {
  const metrics: MutableJsonObject = {};
  const take = (keys: readonly string[], object: JsonObject): void => {
    for (const key of keys) {
      const value = getOwn(object, key);
      if (value !== undefined && !Object.hasOwn(metrics, key)) metrics[key] = value;
    }
  };
  take(ROW_METRICS, part.row);
  if (part.state !== undefined) take(STATE_METRICS, part.state);
  return Object.keys(metrics).length > 0 ? metrics : undefined;
}
