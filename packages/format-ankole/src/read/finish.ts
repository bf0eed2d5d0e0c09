import {
  collectIssues,
  fieldsOf,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type ResidualBuilder,
  residuals,
  type Storyline,
} from '@pchronicle/storyline-core';
import { LAYOUT_POINTER, LAYOUT_SOURCE } from '../keys.ts';
import { changesBetween } from '../layout/patch.ts';
import { isEmpty } from '../members.ts';
import { rebuildDocument } from '../write/rebuild.ts';

/** The way back of a Storyline: what it came of, and how its parts lay. */
export interface Way {
  readonly own: Json | undefined;
  readonly layout: JsonObject;
  readonly documentId: string;
}

/**
 * Completes a Storyline with its residuals and its layout. The document is rebuilt from it on the spot, and what comes out differently is
 * noted in the layout: so the way back is exact for whatever the reader accepts (decision G19).
 */
export function finishStoryline(storyline: Storyline, residual: ResidualBuilder, way: Way): Storyline {
  const withResiduals: Storyline = { ...storyline, ...residual.build() };
  if (way.own === undefined) return withResiduals;
  // Whatever is not canonical here is the source's own.
  const loose = new Set<string>();
  const rebuilt = rebuildDocument(withResiduals, way.layout, collectIssues().report, {
    isOwn: (digest) => loose.add(digest).has(digest),
  });
  const patch = changesBetween(rebuilt, way.own);
  const layout: MutableJsonObject = { ...way.layout };
  // Only residuals need to know where the parts stood.
  if (residual.size === 0) {
    delete layout.at;
    delete layout.base;
  }
  if (loose.size > 0) layout.loose = [...loose];
  if (patch.length > 0) layout.patch = patch;
  if (isEmpty(layout)) return withResiduals;
  const builder = residuals(LAYOUT_SOURCE, way.documentId);
  builder.add(LAYOUT_POINTER, layout);
  const block = builder.build();
  const own = fieldsOf(withResiduals, 'ankole') === undefined ? undefined : withResiduals.unknown_fields;
  if (block === undefined) return withResiduals;
  if (own === undefined) return { ...storyline, ...block };
  return {
    ...withResiduals,
    unknown_fields: { sources: { ...own.sources, ...block.unknown_fields.sources } },
    unknown_key_counts: { ...withResiduals.unknown_key_counts, ...block.unknown_key_counts },
  };
}
