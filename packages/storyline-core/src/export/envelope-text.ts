import type { JsonObject } from '../json/value.ts';
import { ENVELOPE_KEY } from '../storyline/envelope.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { envelopeBlocks } from './envelope-blocks.ts';
import { foreignSources } from './foreign-sources.ts';
import type { WrittenStory } from './record-document.ts';
import { throughText } from './reread.ts';
import { encoderOf, storyRecords } from './story-records.ts';
import type { Layout } from './text.ts';
import { reportNonFinite, type WriteRun, type WriteSteps } from './write-run.ts';

/** A document whose records are written. */
export interface WrittenDocument {
  readonly frame: unknown;
  readonly root: JsonObject;
  /** Keys of all records. */
  readonly keys: readonly string[];
  /** Number of all records. */
  readonly count: number;
}

/**
 * The envelope as the last root member, one Storyline at a time: with `carry`, each is read and written again, and read back by the
 * format's reader, which now knows the keys of all records. No more than one is held.
 */
export function* envelopeText(
  run: WriteRun,
  layout: Layout,
  stories: readonly WrittenStory[],
  document: WrittenDocument,
): WriteSteps {
  const isCarrying = run.options.carry === true;
  const root = isCarrying ? ((throughText(run.format, document.root) ?? {}) as JsonObject) : document.root;
  let entries = 0;
  for (const story of stories) {
    const blocks = isCarrying
      ? yield* carriedBlocks(run, story, { ...document, root })
      : foreignSources(run.format, story.slot.head);
    if (run.failed) return;
    if (blocks === undefined || Object.keys(blocks).length === 0) continue;
    if (entries === 0) {
      yield `,${layout.newline(1)}${layout.key(ENVELOPE_KEY)}{${layout.newline(2)}${layout.key('unknown_fields')}{`;
      yield `${layout.newline(3)}${layout.key('version')}1,${layout.newline(3)}${layout.key('by_trajectory')}{`;
    }
    yield `${entries === 0 ? '' : ','}${layout.newline(4)}${layout.key(story.carrier)}`;
    yield* layout.value({ sources: blocks as unknown as JsonObject }, 4);
    reportNonFinite(run, story.slot, run.nonFinite);
    run.nonFinite = 0;
    entries += 1;
  }
  if (entries > 0) yield `${layout.newline(3)}}${layout.newline(2)}}${layout.newline(1)}}`;
}

function* carriedBlocks(
  run: WriteRun,
  story: WrittenStory,
  document: WrittenDocument,
): WriteSteps<ResidualSources | undefined> {
  const silent: WriteRun = { ...run, issues: [], failed: false, nonFinite: 0, counts: new Map() };
  const again = yield* storyRecords(silent, story.slot, document.frame);
  if (again === undefined) return undefined;
  const standing = { ...document, places: story.places, encode: encoderOf(run) };
  return envelopeBlocks(run, story.slot, again.storyline, [...again.records], standing);
}
