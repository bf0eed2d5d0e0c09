import type { DiffOptions } from '../commands/diff.ts';
import { compareSubjects } from '../compare/compare-subjects.ts';
import { diffJson } from '../compare/diff-json.ts';
import { readOne } from '../compare/read-side.ts';
import { readTails } from '../compare/read-tails.ts';
import { type DiffRendering, renderDiff } from '../compare/render-diff.ts';
import { renderSideBySide } from '../compare/render-side-by-side.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';

/** Compares two trajectories and shows where they part; exit 1 when they differ. */
export async function diff(
  leftName: string,
  rightName: string,
  options: DiffOptions,
  context: Context,
): Promise<void> {
  const tails = await readTails(leftName, rightName, options, context);
  const left = tails?.[0] ?? (await readOne(leftName, options, context));
  const right = tails?.[1] ?? (await readOne(rightName, options, context));
  const result = compareSubjects(left, right, options);
  if (!result.equal) context.mark(EXIT.findings);
  if (options.json === true) {
    for (const piece of diffJson(left, right, result)) await context.stdout.writeJson(piece);
    await context.stdout.writeJson('\n');
    return;
  }
  const rendering: DiffRendering = {
    style: context.style,
    width: context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
    context: options.context,
    full: options.full === true,
  };
  const render = options.sideBySide === true ? renderSideBySide : renderDiff;
  for (const line of render(left, right, result, rendering)) await context.stdout.write(`${line}\n`);
}
