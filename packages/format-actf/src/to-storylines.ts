import {
  isJsonArray,
  type Report,
  type Storyline,
  type StorylineHead,
  type Turn,
} from '@pchronicle/storyline-core';
import { uniqueCallIds } from './call-ids.ts';
import type { ActfPart, ActfStep, ActfTrajectory } from './document.ts';
import { gatherLeftovers, type Leftovers } from './leftovers.ts';
import { readEvents } from './openclaw-events.ts';
import { readPrompts } from './prompts.ts';
import { readHead } from './read-head.ts';
import { readStep } from './read-step.ts';
import { ATTEMPT, ROOT, TRAJECTORY } from './shapes.ts';
import { NO_TIME, readTimes } from './times.ts';
import { effectiveId, effectiveTools } from './tools.ts';

/** What a trajectory gives to its Storyline. */
export type ReadTrajectory = Pick<StorylineHead, 'started_at' | 'finished_at' | 'prompt'> & {
  readonly turns: readonly Turn[];
};

/** Reads one attempt into its Storyline (RFC-0004: one attempt, one Storyline). */
export function* toStorylines(part: ActfPart, report: Report): Iterable<Storyline> {
  yield readAttempt(part, gatherLeftovers(part.frame.root.task_id), report);
}

/** The same, with leftovers that the caller made. */
export function readAttempt(part: ActfPart, leftovers: Leftovers, report: Report): Storyline {
  const { frame, id, pointer, attempt } = part;
  leftovers.keepOthers(frame.root, ROOT, '');
  leftovers.keepOthers(attempt, ATTEMPT, pointer);
  const head = readHead(frame, id, attempt);
  const { trajectory } = attempt;
  const place = `${pointer}/trajectory`;
  const body = isJsonArray(trajectory)
    ? readEvents(trajectory, place, head, leftovers, report)
    : readTrajectory(trajectory as ActfTrajectory, place, leftovers, report);
  return { ...head, ...body, ...leftovers.build() };
}

function readTrajectory(
  trajectory: ActfTrajectory,
  pointer: string,
  leftovers: Leftovers,
  report: Report,
): ReadTrajectory {
  leftovers.keepOthers(trajectory, TRAJECTORY, pointer);
  const { steps } = trajectory;
  const tcids = stepCallIds(steps);
  const { prompt, turns: prompts } = readPrompts(steps);
  const { started, finished } = readTimes(trajectory);
  reportStandIns(trajectory, pointer, report);
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(started === undefined ? {} : { started_at: started }),
    ...(finished === undefined ? {} : { finished_at: finished }),
    turns: steps.map((step, index) =>
      readStep(step, `${pointer}/steps/${index}`, tcids[index] ?? [], prompts.get(index), leftovers, report),
    ),
  };
}

/** The tcids of every step's calls. */
function stepCallIds(steps: readonly ActfStep[]): readonly (readonly string[])[] {
  return uniqueCallIds(
    steps.map((step) => ({
      turn: step.step_id,
      ids: effectiveTools(step).tools.map((tool, index) => effectiveId(tool, step.step_id, index)),
    })),
  );
}

function reportStandIns(trajectory: ActfTrajectory, pointer: string, report: Report): void {
  const places = [trajectory, ...trajectory.steps].filter((times) => times.started_at === NO_TIME).length;
  if (places === 0) return;
  const message = `started_at is ${NO_TIME} in ${places} places; that is what is written where no time is known, so none is read`;
  report('info', 'actf/stand-in-time', pointer, message);
}
