import { project as projectStoryline, stringifyPieces } from '@pchronicle/storyline-core';
import type { ProjectOptions } from '../commands/project.ts';
import { readJoined, readOne } from '../compare/read-side.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { createIssueLog } from '../issues/log.ts';

/** Prints one view of a trajectory as a ChatML document; what the view leaves out is said on stderr. */
export async function project(
  names: readonly string[],
  options: ProjectOptions,
  context: Context,
): Promise<void> {
  const [name = '', ...others] = names;
  const reading = { ...options, tellsLosses: true };
  const { from, storyline, told } =
    others.length === 0 ? await readOne(name, reading, context) : await readJoined(names, reading, context);
  const { document, issues } = projectStoryline(storyline, {
    view: options.view,
    aliasScope: options.aliasScope,
    ...(options.leaf === undefined ? {} : { leaf: options.leaf }),
    ...(options.aliasPrefix === undefined ? {} : { aliasPrefix: options.aliasPrefix }),
    ...(options.orphans === undefined ? {} : { orphans: options.orphans }),
    ...(options.duplicates === undefined ? {} : { duplicates: options.duplicates }),
    ...(options.unanswered === undefined ? {} : { unanswered: options.unanswered }),
  });
  const log = createIssueLog(context.notes);
  // That a summary is missing was told with its place in the file.
  const isBorderTold = [...(told ?? [])].some((code) => code.endsWith('/checkpoint-without-summary'));
  for (const issue of issues) {
    if (isBorderTold && issue.code === 'core/context-replaced') continue;
    log.add({ ...issue, at: { source: from, ...issue.at } });
    if (issue.severity === 'error') context.mark(EXIT.findings);
  }
  for (const piece of stringifyPieces(document, { indent: options.json === true ? 0 : 2 })) {
    await context.stdout.writeJson(piece);
  }
  await context.stdout.write('\n');
  log.print();
}
