import type { Report } from '../issue.ts';
import { type JsonObject, type MutableJsonObject, setOwn } from '../json/value.ts';
import type { ResidualSources } from './merge-unknown-fields.ts';

/**
 * Builds the value of `_storyline` (storyline-v1 §9, version 1) from the foreign source blocks of each carrier pointer.
 * Blocks without fields are left out; `undefined` when nothing is left.
 * Two entries with one carrier: the error `storyline/envelope-two-bindings`, at that carrier.
 */
export function buildEnvelope(
  entries: Iterable<readonly [carrier: string, sources: ResidualSources]>,
  report?: Report,
): JsonObject | undefined {
  const byTrajectory: MutableJsonObject = {};
  let size = 0;
  for (const [carrier, blocks] of entries) {
    const sources: MutableJsonObject = {};
    let count = 0;
    for (const source of Object.keys(blocks)) {
      const block = blocks[source];
      if (block === undefined || Object.keys(block.fields).length === 0) continue;
      setOwn(sources, source, block as unknown as JsonObject);
      count += 1;
    }
    if (count === 0) continue;
    if (Object.hasOwn(byTrajectory, carrier)) {
      report?.(
        'error',
        'storyline/envelope-two-bindings',
        carrier,
        `two stories want to leave residuals at the carrier ${JSON.stringify(carrier)}; a carrier belongs to one story`,
      );
      continue;
    }
    setOwn(byTrajectory, carrier, { sources });
    size += 1;
  }
  return size === 0 ? undefined : { unknown_fields: { version: 1, by_trajectory: byTrajectory } };
}
