import type { Storyline } from '@pchronicle/storyline-core';
import { tableBuilder } from '../columns/build-table.ts';
import type { StoreContext } from '../context.ts';
import { now, rowsOf, type WrittenRows } from '../storyline-rows.ts';
import { appendBuilt } from './append-rows.ts';
import type { BatchLimits, IngestOptions } from './options.ts';
import { isWritten, type PendingStory } from './pending.ts';

/** Writes the calls and steps of Storylines, which stay invisible until the commit of their rows in `runs`. */
export interface PartWriter {
  /** Appends calls, then steps, in slices of bounded size. */
  write(stories: readonly PendingStory[], maxBytes: number): Promise<void>;
}

/** Makes one for an import. Its buffers serve all batches. */
export function partWriter(
  context: StoreContext,
  options: IngestOptions,
  limits: BatchLimits,
  tell: { begins(part: 'tool_calls' | 'steps'): void; writes(rows: number): void },
): PartWriter {
  const builders = {
    steps: tableBuilder(context.lance, context.columns.steps),
    tool_calls: tableBuilder(context.lance, context.columns.tool_calls),
  };
  return {
    async write(stories, maxBytes) {
      const open: { readonly story: PendingStory; readonly made: WrittenRows }[] = [];
      for (const story of stories) {
        if (isWritten(story) && story.storyline !== undefined)
          open.push({ story, made: madeOf(story, story.storyline, options) });
      }
      if (open.length === 0) return;
      for (const part of ['tool_calls', 'steps'] as const) {
        tell.begins(part);
        const builder = builders[part];
        const send = async (): Promise<void> => {
          if (builder.rows() === 0) return;
          tell.writes(builder.rows());
          await appendBuilt(context, part, builder);
        };
        // What an earlier failure has left.
        builder.clear();
        for (const { story, made } of open) {
          let count = 0;
          for (const row of part === 'steps' ? made.steps() : made.toolCalls()) {
            builder.append(row);
            count += 1;
            if (builder.rows() >= limits.rows || builder.bytes() >= maxBytes) await send();
          }
          if (part === 'steps') {
            story.steps = count;
            story.runRow = made.run;
            // Only the row for `runs` is needed from here on.
            story.storyline = undefined;
          } else story.calls = count;
        }
        await send();
      }
    },
  };
}

function madeOf(story: PendingStory, storyline: Storyline, options: IngestOptions): WrittenRows {
  const sourcePath = options.sourcePath ?? story.at.source;
  return rowsOf(storyline, {
    documentKey: story.key,
    ingestId: story.ingestId,
    // The revision and the source document come at the commit.
    revision: 0n,
    ingestedAt: now(),
    sourceId: story.sourceId,
    storageOrdinal: BigInt(story.position),
    contentHash: story.hash,
    ...(sourcePath === undefined ? {} : { sourcePath }),
    ...(story.at.record === undefined ? {} : { sourceRecord: story.at.record }),
    ...(story.at.offset === undefined ? {} : { sourceOffset: story.at.offset }),
  });
}
