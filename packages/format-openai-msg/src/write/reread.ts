import {
  collectIssues,
  type Issue,
  missingTurns,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import type { Layout } from '../history/layout.ts';
import { decodeSession } from '../read/decode.ts';
import { toStorylines } from '../read/to-storylines.ts';
import type { Outline } from './outline.ts';
import { collisionReport } from './residuals.ts';
import { rowWriter } from './rows.ts';
import { type PlannedSession, planSession } from './session.ts';

/** Rows that may be written, and what the reader makes of them. */
export interface TriedRows {
  readonly planned: PlannedSession;
  /** `undefined` when the rows cannot be read. */
  readonly reread: Storyline | undefined;
  /** Why they cannot be read. */
  readonly fault: Issue | undefined;
  /** What is to be told when these rows are written. */
  readonly told: ReturnType<typeof collectIssues>;
}

/** Plans the rows of a Storyline and reads them, one by one; `undefined` when the layout does not fit. */
export function tryRows(
  story: Storyline,
  outline: Outline,
  layout: Layout | undefined,
): TriedRows | undefined {
  const told = collectIssues();
  const planned = planSession(story, outline, layout, told.report);
  if (planned === undefined) return undefined;
  const write = rowWriter(planned);
  const collide = collisionReport(story, told.report);
  const found = collectIssues();
  const record = {
    frame: { source: '', root: {} },
    key: story.session,
    *values() {
      for (const [index, row] of planned.rows.entries()) {
        const value = write(row, (inside) => collide(inside, index));
        yield { value, index, at: { pointer: `/${index}` } };
      }
    },
  };
  const part = decodeSession(record, found.report);
  const [reread] = part === undefined ? [] : toStorylines(part, found.report);
  const fault = found.issues.find((issue) => issue.severity === 'error');
  return { planned, reread: fault === undefined ? reread : undefined, fault, told };
}

/** Whether rows read back as the turns they were made of: a layout whose rows do not was made for other turns. */
export function saysTheSame(turns: readonly Turn[], reread: readonly Turn[]): boolean {
  return [missingTurns(turns, reread), missingTurns(reread, turns)].every(
    ({ missing, moved }) =>
      moved === undefined && missing.every(({ pattern }) => !/^\/turns\/\*\/(msg|observation)/.test(pattern)),
  );
}
