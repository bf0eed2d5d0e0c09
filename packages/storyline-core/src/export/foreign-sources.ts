import type { DrivenFormat } from '../format.ts';
import { type MutableJsonObject, setOwn } from '../json/value.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import type { StorylineHead } from '../storyline.ts';

/** The residual sources that belong to a format itself: its id, and those it restores besides. */
export function ownSources(format: DrivenFormat): readonly string[] {
  return [format.id, ...(format.ownSources ?? [])];
}

/** The residuals that a format's writer does not restore itself: they travel in the envelope. `undefined` when there are none. */
export function foreignSources(format: DrivenFormat, head: StorylineHead): ResidualSources | undefined {
  const all = head.unknown_fields?.sources;
  const own = ownSources(format);
  if (all === undefined || own.includes('*')) return undefined;
  const foreign: MutableJsonObject = {};
  let count = 0;
  for (const source of Object.keys(all)) {
    const block = all[source];
    if (own.includes(source) || block === undefined) continue;
    if (Object.keys(block.fields).length === 0) continue;
    setOwn(foreign, source, { source_document_id: block.source_document_id, fields: block.fields });
    count += 1;
  }
  return count === 0 ? undefined : (foreign as unknown as ResidualSources);
}
