import { getOwn, type JsonObject, type Report } from '@pchronicle/storyline-core';
import { filledText, objectIn, textOf } from '../members.ts';
import type { Part } from './parts.ts';
import type { Round } from './round.ts';

/** The checkpoint that an artifact belongs to: its own id, with or without the prefix (notes §1.6). */
export function artifactId(artifact: JsonObject): string {
  return (textOf(artifact, 'id') ?? '').replace(/^cmp_(?=.)/, '');
}

/** The artifacts by their checkpoint. */
export function artifactsIn(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(
    parts.filter(({ shape }) => shape === 'artifact').map((part) => [artifactId(part.value), part]),
  );
}

/** The summary that stands for everything before a checkpoint; what the provider compacted itself cannot be read. */
export function summaryIn(artifact: Part | undefined): string | undefined {
  return artifact === undefined
    ? undefined
    : filledText(objectIn(objectIn(artifact.value, 'content'), 'summary'), 'text');
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
