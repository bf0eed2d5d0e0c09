import {
  describeJson,
  equalJson,
  isInteger,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  type Report,
  type ToolCall,
} from '@pchronicle/storyline-core';
import { isSynthesised } from './call-ids.ts';
import type { ActfStep, ActfTool } from './document.ts';
import { isBlank, isFilled } from './emptiness.ts';
import type { Leftovers } from './leftovers.ts';
import { responseOf } from './response.ts';
import { FUNCTION, TOOL } from './shapes.ts';
import { argumentForms, effectiveTools, functionName, remainder, synthesisedId } from './tools.ts';
import { wholeMilliseconds } from './whole-milliseconds.ts';

/** Reads the calls of a step, with the residuals of both its lists. */
export function readTools(
  step: ActfStep,
  pointer: string,
  tcids: readonly string[],
  leftovers: Leftovers,
  report: Report,
): readonly ToolCall[] {
  const { tools, at } = effectiveTools(step);
  if (tools.length === 0) return [];
  const duration = tools.length === 1 ? wholeMilliseconds(step.metric.env_action_ms) : undefined;
  const keep = (list: readonly ActfTool[], place: string): void =>
    list.forEach((tool, index) => {
      keepTool(tool, `${place}/${index}`, tcids[index] ?? '', step.step_id, index, leftovers);
    });
  keep(tools, `${pointer}/${at}`);
  if (at === 'tools')
    keep(step.assistant_content.tool_calls ?? [], `${pointer}/assistant_content/tool_calls`);
  return tools.map((tool, index) => {
    const place = `${pointer}/${at}/${index}`;
    reportOddities(tool, place, tcids[index] ?? '', report);
    return {
      ...readTool(tool, tcids[index] ?? '', place, leftovers),
      ...(duration === undefined ? {} : { duration_ms: duration }),
    };
  });
}

function readTool(tool: ActfTool, tcid: string, place: string, leftovers: Leftovers): ToolCall {
  const form = argumentForms(tool)[0];
  const args = form?.args ?? remainder(tool);
  noteLayout(tool, args, form === undefined, place, leftovers);
  const result = tool.aggregated_output ?? undefined;
  return {
    tcid,
    fn: functionName(tool),
    args,
    ...(result === undefined ? {} : { result }),
    ...(tool.type ? { kind: tool.type } : {}),
    ...responseOf(tool.status, tool.exit_code),
  };
}

/** Notes where the writer would be wrong about `name` and `input` (decision G19). */
function noteLayout(tool: ActfTool, args: Json, flat: boolean, place: string, leftovers: Leftovers): void {
  const looksFlat = isFlat(args, flat ? (args as JsonObject) : othersOf(tool));
  if (looksFlat !== flat) leftovers.note(`${place}/input`, !flat);
  if (!flat && tool.type && (tool.name || tool.function?.name) === tool.type)
    leftovers.note(`${place}/name`, true);
}

/** Whether the writer takes arguments for the remainder of a call: the residual keys of the call are the same (decision A5). */
export function isFlat(args: Json, others: JsonObject): boolean {
  return isJsonObject(args) && Object.keys(args).length > 0 && equalJson(args, others);
}

function othersOf(tool: ActfTool): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !Object.hasOwn(TOOL, key)));
}

/** Keeps what a call has no slot for, at its place in one of the two lists. */
function keepTool(
  tool: ActfTool,
  place: string,
  tcid: string,
  stepId: JsonInteger,
  index: number,
  leftovers: Leftovers,
): void {
  if (argumentForms(tool).length === 0) {
    leftovers.keepOthers(remainder(tool), {}, place);
  } else {
    leftovers.keepOthers(tool, TOOL, place);
    if (tool.function) leftovers.keepOthers(tool.function, FUNCTION, `${place}/function`);
  }
  const { id, status, exit_code: exitCode } = tool;
  if (status !== undefined && status !== null && !isFilled(status)) leftovers.keep(`${place}/status`, status);
  if (exitCode !== undefined && exitCode !== null && !isInteger(exitCode))
    leftovers.keep(`${place}/exit_code`, exitCode);
  if (!id) return;
  const written = isSynthesised(tcid, stepId, index) ? synthesisedId(stepId, index) : tcid;
  if (id !== written) leftovers.keep(`${place}/id`, id);
}

/** Reports what is legal but notable about a call (decisions A8, A19, G11). */
function reportOddities(tool: ActfTool, place: string, tcid: string, report: Report): void {
  const odd = (key: 'status' | 'exit_code', expected: string): void => {
    const message = `${key} is ${describeJson(tool[key])}, not ${expected}; it is kept as it is, without a meaning`;
    report('warning', 'actf/unexpected-tool-value', `${place}/${key}`, message);
  };
  const { status, exit_code: exitCode } = tool;
  if (status !== undefined && status !== null && typeof status !== 'string') odd('status', 'a text');
  if (exitCode !== undefined && exitCode !== null && !isInteger(exitCode)) odd('exit_code', 'an integer');
  if (!isBlank(tool.id) && tool.id !== tcid) {
    const message = `the tool id ${describeJson(tool.id)} was used by an earlier call of this attempt; this call is ${describeJson(tcid)}`;
    report('info', 'actf/reused-tool-id', `${place}/id`, message);
  }
  const [chosen, ...others] = argumentForms(tool);
  for (const { from, args } of others) {
    if (chosen === undefined || equalJson(args, chosen.args)) continue;
    const message = `${from} differs from ${chosen.from}, which gives the arguments of this call; it is not kept`;
    report('loss', 'actf/unused-argument-form', `${place}/${from}`, message);
  }
  const second = tool.name ? tool.function?.name : undefined;
  if (second && second !== tool.name) {
    const message = `function.name is ${describeJson(second)} beside the name ${describeJson(tool.name)}, which gives the function of this call; it is not kept`;
    report('loss', 'actf/unused-function-name', `${place}/function/name`, message);
  }
}
