import {
  compareNumbers,
  isJsonObject,
  type Json,
  type JsonInteger,
  type Report,
} from '@pchronicle/storyline-core';
import { checkShape } from './check-shape.ts';
import type { ActfObservation, ActfStep, ActfTool } from './document.ts';
import { isBlank } from './emptiness.ts';
import { quote } from './quote.ts';
import { CONTENT, FUNCTION, METRIC, OBSERVATION, STEP, TOOL } from './shapes.ts';
import { effectiveId, effectiveTools, functionName, sameTool } from './tools.ts';

/**
 * Checks the steps of a trajectory object at `pointer`: their shapes, and `actf/step-order`, `actf/tool-lists-differ`,
 * `actf/duplicate-tool-id`, `actf/tool-without-name`, `actf/unknown-tool-reference`.
 */
export function checkSteps(steps: readonly Json[], pointer: string, report: Report): boolean {
  let fine = true;
  let last: JsonInteger = 0;
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] as ActfStep;
    const at = `${pointer}/steps/${index}`;
    if (!isJsonObject(step) || !checkStepShape(step, at, report)) {
      fine = false;
      continue;
    }
    if (index > 0 && compareNumbers(step.step_id, last) <= 0) {
      const message = `step_id is ${step.step_id} after ${last}; step ids must strictly increase`;
      report('error', 'actf/step-order', `${at}/step_id`, message);
      fine = false;
    }
    last = step.step_id;
    fine = checkTools(step, at, report) && fine;
  }
  return fine;
}

function checkStepShape(step: ActfStep, at: string, report: Report): boolean {
  if (!checkShape(step, STEP, at, report)) return false;
  const content = `${at}/assistant_content`;
  let fine = checkShape(step.assistant_content, CONTENT, content, report);
  fine = checkShape(step.metric, METRIC, `${at}/metric`, report) && fine;
  if (!fine) return false;
  fine = checkToolShapes(step.tools ?? [], `${at}/tools`, report);
  fine = checkToolShapes(step.assistant_content.tool_calls ?? [], `${content}/tool_calls`, report) && fine;
  (step.observation ?? []).forEach((observation, index) => {
    fine = checkShape(observation, OBSERVATION, `${at}/observation/${index}`, report) && fine;
  });
  return fine;
}

function checkToolShapes(tools: readonly ActfTool[], at: string, report: Report): boolean {
  let fine = true;
  tools.forEach((tool, index) => {
    const shaped = checkShape(tool, TOOL, `${at}/${index}`, report);
    const called = shaped ? tool.function : undefined;
    const named = called ? checkShape(called, FUNCTION, `${at}/${index}/function`, report) : true;
    fine = shaped && named && fine;
  });
  return fine;
}

function checkTools(step: ActfStep, at: string, report: Report): boolean {
  const { tools, at: list } = effectiveTools(step);
  if (tools.length === 0 && (step.observation ?? []).length === 0) return true;
  const other = list === 'tools' ? (step.assistant_content.tool_calls ?? []) : [];
  let fine = true;
  const fail: Report = (...issue) => {
    fine = false;
    report(...issue);
  };
  if (other.length > 0) checkSameLists(tools, other, at, fail);
  const ids = new Set<string>();
  tools.forEach((tool, index) => {
    const place = `${at}/${list}/${index}`;
    const id = effectiveId(tool, step.step_id, index);
    if (ids.has(id)) {
      const message = `the tool id ${quote(id)} appears twice in step ${step.step_id}; ids must be unique in a step`;
      fail('error', 'actf/duplicate-tool-id', isBlank(tool.id) ? place : `${place}/id`, message);
    }
    ids.add(id);
    if (functionName(tool) !== '') return;
    const message =
      'the call has no name, function.name or type that could give the function (fn); one of them is expected';
    fail('error', 'actf/tool-without-name', place, message);
  });
  (step.observation ?? []).forEach((observation, index) => {
    checkReference(observation, ids, step.step_id, `${at}/observation/${index}`, fail);
  });
  return fine;
}

function checkSameLists(
  tools: readonly ActfTool[],
  calls: readonly ActfTool[],
  at: string,
  report: Report,
): void {
  const differing = tools.findIndex((tool, index) => {
    const call = calls[index];
    return call === undefined || !sameTool(tool, call);
  });
  if (differing < 0 && tools.length === calls.length) return;
  const first = differing < 0 ? tools.length : differing;
  const message =
    tools.length === calls.length
      ? `tools and assistant_content.tool_calls differ at call ${first}; two lists that both have calls must be equal`
      : `tools has ${tools.length} calls and assistant_content.tool_calls has ${calls.length}; two lists that both have calls must be equal`;
  report(
    'error',
    'actf/tool-lists-differ',
    first < tools.length ? `${at}/tools/${first}` : `${at}/tools`,
    message,
  );
}

function checkReference(
  observation: ActfObservation,
  ids: ReadonlySet<string>,
  stepId: JsonInteger,
  at: string,
  report: Report,
): void {
  const key = referenceKey(observation);
  const reference = key === undefined ? undefined : observation[key];
  if (key === undefined || typeof reference !== 'string' || ids.has(reference)) return;
  const message = `the tool result refers to ${quote(reference)}, but ${describeCalls(ids, stepId)}`;
  report('error', 'actf/unknown-tool-reference', `${at}/${key}`, message);
}

function describeCalls(ids: ReadonlySet<string>, stepId: JsonInteger): string {
  if (ids.size === 0) return 'this step has no calls';
  const named: string[] = [];
  for (const id of ids) {
    if (named.push(named.length < 10 ? quote(id) : '…') > 10) break;
  }
  return `the calls of step ${stepId} are ${named.join(', ')}`;
}

/** The key by which an observation names its call: `tool_use_id`, else `id`; blank texts name nothing. */
export function referenceKey(observation: ActfObservation): 'tool_use_id' | 'id' | undefined {
  if (!isBlank(observation.tool_use_id)) return 'tool_use_id';
  return isBlank(observation.id) ? undefined : 'id';
}
