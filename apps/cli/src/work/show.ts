import { type Json, type Storyline, stringifyPieces } from '@pchronicle/storyline-core';
import type { ShowOptions } from '../commands/show.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { renderStoryline } from '../show/render.ts';
import { findOne } from '../store/find-one.ts';
import { withReads } from '../store/reads.ts';
import { runJson } from '../store/run-json.ts';
import { writePaged } from '../terminal/pager.ts';

/** Shows one trajectory: for reading, or as JSON. */
export async function show(id: string, options: ShowOptions, context: Context): Promise<void> {
  await withReads(options, context, async (reads) => {
    const run = await findOne(reads, id);
    const storyline = await reads.read(run.documentKey);
    if (options.json === true) {
      await context.stdout.writeJson(`{"run":${JSON.stringify(runJson(run))},"storyline":`);
      await writeValue(picked(storyline, options), 0, context);
      await context.stdout.writeJson('}\n');
    } else if (options.raw === true) {
      await writeValue(picked(storyline, options), 2, context);
      await context.stdout.write('\n');
    } else {
      const rendering = {
        style: context.style,
        full: options.full === true,
        turns: options.turns,
        width: context.stdout.columns,
      };
      await writePaged(() => renderStoryline(storyline, rendering), context, options.pager !== false);
    }
    if (options.turns !== undefined && options.turns.from > storyline.turns.length) {
      throw new Failure(
        EXIT.usage,
        'cli/no-such-turn',
        `there is no turn ${options.turns.from}: the trajectory has ${storyline.turns.length}`,
      );
    }
  });
}

// With --turns the JSON holds those turns alone.
function picked(storyline: Storyline, { turns }: ShowOptions): Storyline {
  if (turns === undefined) return storyline;
  return { ...storyline, turns: storyline.turns.slice(turns.from - 1, turns.to) };
}

async function writeValue(storyline: Storyline, indent: number, context: Context): Promise<void> {
  for (const piece of stringifyPieces(storyline as unknown as Json, { indent })) {
    await context.stdout.writeJson(piece);
  }
}
