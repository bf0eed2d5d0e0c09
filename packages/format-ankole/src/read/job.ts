import { compareText, residuals, STORYLINE_VERSION, type Storyline } from '@pchronicle/storyline-core';
import { JOB_KEYS, SOURCE } from '../keys.ts';
import { objectIn, only, textOf, without } from '../members.ts';
import { startTally } from '../tally.ts';
import { tellCursors } from './cursors.ts';
import { finishStoryline } from './finish.ts';
import { jobDrafts } from './job-drafts.ts';
import { jobHead, keepJobMembers } from './job-head.ts';
import { joinPages } from './job-pages.ts';
import { jobCursor, jobRecipe } from './job-recipe.ts';
import type { Group, GroupContext, Part } from './parts.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of a background job from its pages (decision K1); `undefined` after an error. */
export function readJob(group: Group, { own, places, source, report }: GroupContext): Storyline | undefined {
  const found = startTally();
  const joined = joinPages(group.parts, report, found);
  const newest = newestPage(group.parts);
  if (joined === undefined || newest === undefined) return undefined;
  const session = `job-${group.key.slice(2)}`;
  const documentId = source === '' ? session : source;
  const residual = residuals(SOURCE, documentId);
  tellCursors(
    group.parts.map((part) => jobCursor(part, joined)),
    found,
  );
  for (const part of group.parts) keepJobMembers(part, residual.add);
  const drafts = joined.turns.flatMap((turn) => jobDrafts(turn, residual.add, found));
  const turns = finishTurns(drafts, residual, found);
  found.tell(report);
  const job = objectIn(newest.value, 'job');
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    ...jobHead(job),
    origin: { format: SOURCE, document_id: documentId },
    meta: { job: without(only(job, JOB_KEYS), 'turns', 'turns_next_cursor') },
    turns,
  };
  const layout = {
    ...places,
    parts: group.parts.map((part) => jobRecipe(part, joined, group.parts.length)),
  };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}

/** The page that says the newest about the job; the first of several. */
function newestPage(parts: readonly Part[]): Part | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const updated = ({ value }: Part): string => textOf(objectIn(value, 'job'), 'updated_at') ?? '';
  return others.reduce(
    (newest, part) => (compareText(updated(part), updated(newest)) > 0 ? part : newest),
    first,
  );
}
