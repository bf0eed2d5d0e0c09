import { getOwn, type JsonObject, type Report } from '@pchronicle/storyline-core';
import { filledText, objectIn, textOf } from '../members.ts';
import type { Part } from './parts.ts';
import type { Round } from './rounds.ts';

/** The checkpoint that an artifact belongs to: its own id, with or without the prefix (notes §1.6). */
export function artifactId(artifact: JsonObject): string {
  return (textOf(artifact, 'id') ?? '').replace(/^cmp_(?=.)/, '');
}

/** By checkpoint, the summary that stands for everything before it; what the provider compacted itself cannot be read. */
export function summariesIn(parts: readonly Part[]): ReadonlyMap<string, string> {
  const summaries = new Map<string, string>();
  for (const { shape, value } of parts) {
    if (shape !== 'artifact') continue;
    const text = filledText(objectIn(objectIn(value, 'content'), 'summary'), 'text');
    if (text !== undefined) summaries.set(artifactId(value), text);
  }
  return summaries;
}

/** Tells of artifacts whose checkpoint is not here. */
export function noteLoneArtifacts(parts: readonly Part[], rounds: readonly Round[], report: Report): void {
  const checkpoints = new Set(
    rounds.filter(({ value }) => getOwn(value, 'type') === 'checkpoint').map(({ id }) => id),
  );
  for (const { shape, value, pointer } of parts) {
    if (shape !== 'artifact' || checkpoints.has(artifactId(value))) continue;
    report(
      'info',
      'ankole/lone-artifact',
      pointer,
      'this is the artifact of a compaction whose checkpoint is not here; it is kept',
    );
  }
}
