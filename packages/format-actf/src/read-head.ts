import {
  isJsonArray,
  type Json,
  type MutableJsonObject,
  STORYLINE_VERSION,
  type StorylineHead,
  type TaskResult,
} from '@pchronicle/storyline-core';
import { ACTF_VERSION, type ActfAttempt, type ActfFrame } from './document.ts';
import { isAbsent, isVoid } from './emptiness.ts';

/** Constant `agent` of Storylines read from ACTF (RFC-0004, constants). */
export const ACTF_AGENT = { id: 'actf-agent', name: 'ACTF Agent' } as const;

/**
 * What a Storyline says outside its turns: the authoritative fields of the root and the attempt, the derived session, the constants
 * and the promotions into `final_metrics` (RFC-0004). Times, prompt and residuals are not among them.
 */
export function readHead({ root, attempts }: ActfFrame, id: string, attempt: ActfAttempt): StorylineHead {
  const result = readResult(root, attempt);
  const { task_correct, correct, status, score, max_score } = result;
  const { analysis_result } = attempt;
  return {
    schema_version: STORYLINE_VERSION,
    session: attempts === 1 ? root.task_id : `${root.task_id}#attempt-${id}`,
    agent: ACTF_AGENT,
    origin: { format: 'actf', schema_version: ACTF_VERSION },
    run: root.task_id,
    attempt_id: id,
    task: { llm: { k: root.k }, result },
    final_metrics: present({
      task_correct,
      correct,
      status,
      score,
      max_score,
      analysis_result: isVoid(analysis_result) ? undefined : analysis_result,
    }),
    ...present({
      extra: isVoid(attempt.extra) ? undefined : attempt.extra,
      meta: isVoid(attempt.meta) ? undefined : attempt.meta,
    }),
  };
}

function readResult(root: ActfFrame['root'], attempt: ActfAttempt): TaskResult {
  const { artifacts } = attempt;
  return present(
    {
      task_correct: root.correct,
      category: root.category,
      attempts_tried: root.attempts_tried,
      solved_at: root.solved_at,
      retry_count: root.retry_count,
      retry_counts: root.retry_counts,
      correct: attempt.correct,
      score: attempt.score,
      max_score: attempt.max_score,
      status: attempt.status,
      final_answer: attempt.final_answer,
      ground_truth: attempt.ground_truth,
      error: attempt.error,
      artifacts: isJsonArray(artifacts) && artifacts.length === 0 ? undefined : artifacts,
    },
    isAbsent,
  );
}

/** The members that are there. */
function present(
  members: { readonly [key: string]: Json | undefined },
  isGone: (value: Json | undefined) => boolean = (value) => value === undefined,
): MutableJsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => !isGone(value)),
  ) as MutableJsonObject;
}
