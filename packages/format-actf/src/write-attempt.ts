import {
  appendPointer,
  compareNumbers,
  fieldsOf,
  getOwn,
  getPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  restoreResiduals,
  type Storyline,
  type WrittenRecord,
} from '@pchronicle/storyline-core';
import { attemptIdOf } from './attempt-ids.ts';
import { checkAttempt } from './decode.ts';
import { ACTF_VERSION, type ActfAttempt, type ActfFrame } from './document.ts';
import { isFilled, isVoid } from './emptiness.ts';
import { ACTF, noLeftovers, residualPlace } from './leftovers.ts';
import { reportLosses } from './losses.ts';
import { refuse } from './refuse.ts';
import { tallyIssues } from './tally.ts';
import { NO_TIME } from './times.ts';
import { readAttempt } from './to-storylines.ts';
import { type Way, wayBack } from './way.ts';
import { writeObservations } from './write-observation.ts';
import { writeStep } from './write-step.ts';
import { writeTime } from './write-time.ts';

/**
 * Writes one Storyline as an attempt, and says what of it will not come back: the attempt is read again and compared (decision G14).
 * `undefined` after an error: `actf/turn-order`, a residual without a place, `actf/not-writable`.
 */
export function writeAttempt(
  story: Storyline,
  frame: ActfFrame,
  report: Report,
): readonly [WrittenRecord] | undefined {
  let failed = false;
  const tally = tallyIssues((severity, ...rest) => {
    failed ||= severity === 'error';
    report(severity, ...rest);
  });
  const id = attemptIdOf(story);
  const pointer = appendPointer('/attempts', id);
  const way = wayBack(story, pointer);
  const attempt = makeAttempt(story, way, tally.report);
  restore(attempt, story, way, tally.report);
  if (!failed && checkAttempt(attempt, pointer, refuse(tally.report))) {
    const part = { frame, id, pointer, attempt: attempt as ActfAttempt };
    reportLosses(
      story,
      readAttempt(part, noLeftovers, () => {}),
      tally.report,
    );
  }
  tally.close();
  return failed ? undefined : [{ key: id, value: attempt }];
}

function makeAttempt(story: Storyline, way: Way, report: Report): MutableJsonObject {
  const result: JsonObject = story.task?.result ?? {};
  const metrics: JsonObject = isJsonObject(story.final_metrics) ? story.final_metrics : {};
  const value = (key: string): Json | undefined => getOwn(result, key) ?? getOwn(metrics, key) ?? undefined;
  const known = (key: string, accepts: (value: Json | undefined) => boolean, fallback: Json): Json => {
    const found = [getOwn(result, key), getOwn(metrics, key)].find(accepts);
    if (found !== undefined) return found;
    if (!way.own)
      report(
        'info',
        'actf/default-value',
        `/task/result/${key}`,
        `the Storyline has no ${key}; ${JSON.stringify(fallback)} is written`,
      );
    return fallback;
  };
  const maxScore = value('max_score');
  return {
    correct: known('correct', (one) => typeof one === 'boolean', false),
    final_answer: result.final_answer ?? null,
    ground_truth: result.ground_truth ?? '',
    status: known('status', isFilled, way.own ? '' : 'completed'),
    score: value('score') ?? null,
    ...(maxScore === undefined ? {} : { max_score: maxScore }),
    error: result.error ?? '',
    artifacts: result.artifacts ?? {},
    extra: story.extra ?? {},
    analysis_result: metrics.analysis_result ?? {},
    meta: story.meta ?? {},
    trajectory: makeTrajectory(story, way, report),
  };
}

function makeTrajectory(story: Storyline, way: Way, report: Report): JsonObject {
  const { turns } = story;
  const last = turns.at(-1);
  // For ACTF's own, an absent time is one that was a stand-in: nothing else may take its place.
  const started = writeTime(story.started_at ?? (way.own ? undefined : turns[0]?.ts)) ?? NO_TIME;
  const finished =
    writeTime(story.finished_at ?? (way.own ? undefined : (last?.finished_at ?? last?.ts))) ?? started;
  for (const [key, text] of [
    ['started_at', started],
    ['finished_at', finished],
  ] as const) {
    if (story[key] !== undefined) continue;
    report('info', 'actf/default-value', `/${key}`, `the Storyline has no ${key}; ${text} is written`);
  }
  checkTurnIds(story, report);
  const observations = writeObservations(story, way, report);
  return {
    schema_version: ACTF_VERSION,
    started_at: started,
    finished_at: finished,
    steps: turns.map((turn, index) => writeStep(story, turn, index, observations[index] ?? [], way, report)),
  };
}

/** Puts the residuals of the attempt back (decision G12): they win over what stands for nothing, and over ids. */
function restore(attempt: MutableJsonObject, story: Storyline, way: Way, report: Report): void {
  const fields = fieldsOf(story, ACTF) ?? {};
  // Residuals that came with a Storyline of another format may belong to other steps: what finds no place is lost, not wrong.
  const fail: Report = (severity, code, pointer, message) => {
    if (way.own) report(severity, code, residualPlace(pointer), message);
    else report('loss', 'actf/no-slot', residualPlace(pointer), message);
  };
  for (const pointer of Object.keys(fields)) {
    if (!/^\/attempts(\/|$)/.test(pointer) || pointer.startsWith(`${way.base}/`)) continue;
    const message = `the residual at ${pointer} belongs to another attempt than ${way.base}`;
    fail('error', 'actf/residual-of-another-attempt', pointer, message);
  }
  const mayReplace = (pointer: string): boolean => {
    const present = getPointer(attempt, pointer.slice(way.base.length));
    return (
      isVoid(present) ||
      present === '' ||
      present === NO_TIME ||
      (isJsonArray(present) && present.length === 0) ||
      /\/(tools|tool_calls)\/\d+\/id$/.test(pointer)
    );
  };
  restoreResiduals(attempt, fields, { base: way.base, mayReplace }, fail);
}

/** Turn ids become step ids, which are positive and strictly increase. */
function checkTurnIds(story: Storyline, report: Report): void {
  story.turns.forEach(({ id }, index) => {
    const before = story.turns[index - 1]?.id ?? 0;
    if (compareNumbers(id, before) > 0) return;
    const message = `the turn id ${id} cannot follow ${before} as a step_id; step ids are positive and strictly increase`;
    report('error', 'actf/turn-order', `/turns/${index}/id`, message);
  });
}
