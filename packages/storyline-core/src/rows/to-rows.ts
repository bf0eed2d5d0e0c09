import type { Storyline } from '../storyline.ts';
import type { RunRow, StepRow, ToolCallRow } from './columns.ts';
import type { RowIdentity } from './row-identity.ts';
import { runRow } from './run-row.ts';
import { stepRows } from './step-rows.ts';
import { toolCallRows } from './tool-call-rows.ts';

/** One Storyline as rows. Steps and calls are made while they are iterated, so that a long story is never there twice. */
export interface StorylineRows {
  readonly run: RunRow;
  steps(): Iterable<StepRow>;
  toolCalls(): Iterable<ToolCallRow>;
}

/** The rows of a canonical Storyline (store.md, "Columns"). Their exact inverse is {@link fromRows}. */
export function toRows(storyline: Storyline, identity: RowIdentity): StorylineRows {
  return {
    run: runRow(storyline, identity),
    steps: () => stepRows(storyline, identity),
    toolCalls: () => toolCallRows(storyline, identity),
  };
}
