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
  wholeMilliseconds,
} from '@pchronicle/storyline-core';
import { isSynthesised } from './call-ids.ts';
import type { ActfStep, ActfTool } from './document.ts';
import { isBlank, isFilled } from './emptiness.ts';
import type { Leftovers } from './leftovers.ts';
import type { Mutable } from './mutable.ts';
import { quote } from './quote.ts';
import { responseOf } from './response.ts';
import { FUNCTION } from './shapes.ts';
import {
  argumentForms,
  chosenArguments,
  effectiveTools,
  functionName,
  remainder,
  synthesisedId,
  vendorKeys,
} from './tools.ts';

/** Reads the calls of a step, with the residuals of both its lists. */
export function readTools(
  step: ActfStep,
  pointer: string,
  tcids: readonly string[],
  leftovers: Leftovers,
  report: Report,
): readonly ToolCall[] {
  const { tools, at } = effectiveTools(step);
  const twins = at === 'tools' && (step.assistant_content.tool_calls ?? []).length > 0;
  const duration = tools.length === 1 ? wholeMilliseconds(step.metric.env_action_ms) : undefined;
  return tools.map((tool, index) => {
    const place = `${pointer}/${at}/${index}`;
    const tcid = tcids[index] ?? '';
    const chosen = chosenArguments(tool);
    const args = chosen ?? remainder(tool);
    const others = chosen === undefined ? (args as JsonObject) : vendorKeys(tool);
    const id = keptId(tool, tcid, step.step_id, index);
    keepTool(tool, id, others, chosen === undefined, place, leftovers);
    // Equal lists have equal leftovers.
    if (twins)
      keepTool(
        tool,
        id,
        others,
        chosen === undefined,
        `${pointer}/assistant_content/tool_calls/${index}`,
        leftovers,
      );
    noteLayout(tool, args, others, chosen === undefined, place, leftovers);
    reportOddities(tool, place, tcid, report);
    const call = readTool(tool, tcid, args);
    if (duration !== undefined) call.duration_ms = duration;
    return call;
  });
}

function readTool(tool: ActfTool, tcid: string, args: Json): Mutable<ToolCall> {
  const call: Mutable<ToolCall> = { tcid, fn: functionName(tool), args };
  const { aggregated_output: result, type } = tool;
  const response = responseOf(tool.status, tool.exit_code);
  if (result !== undefined && result !== null) call.result = result;
  if (type) call.kind = type;
  if (response !== undefined) call.response = response;
  return call;
}

/** Notes where the writer would be wrong about `name` and `input` (decision G19). */
function noteLayout(
  tool: ActfTool,
  args: Json,
  others: JsonObject,
  flat: boolean,
  place: string,
  leftovers: Leftovers,
): void {
  if (isFlat(args, others) !== flat) leftovers.note(`${place}/input`, !flat);
  if (!flat && tool.type && (tool.name || tool.function?.name) === tool.type)
    leftovers.note(`${place}/name`, true);
}

/** Whether the writer takes arguments for the remainder of a call: the residual keys of the call are the same (decision A5). */
export function isFlat(args: Json, others: JsonObject): boolean {
  return isJsonObject(args) && Object.keys(args).length > 0 && equalJson(args, others);
}

/** The id of a call where its tcid does not tell it: one used before, a blank one, one that looks made up. */
function keptId(tool: ActfTool, tcid: string, stepId: JsonInteger, index: number): string | undefined {
  const { id } = tool;
  if (!id) return undefined;
  const told = isSynthesised(tcid, stepId, index) ? synthesisedId(stepId, index) : tcid;
  return id === told ? undefined : id;
}

/** Keeps what a call has no slot for, at its place in one of the two lists. */
function keepTool(
  tool: ActfTool,
  id: string | undefined,
  others: JsonObject,
  flat: boolean,
  place: string,
  leftovers: Leftovers,
): void {
  const { status, exit_code: exitCode } = tool;
  leftovers.keepOthers(others, {}, place);
  if (!flat && tool.function) leftovers.keepOthers(tool.function, FUNCTION, `${place}/function`);
  if (status !== undefined && status !== null && !isFilled(status)) leftovers.keep(`${place}/status`, status);
  if (exitCode !== undefined && exitCode !== null && !isInteger(exitCode))
    leftovers.keep(`${place}/exit_code`, exitCode);
  if (id !== undefined) leftovers.keep(`${place}/id`, id);
}

/** Reports what is legal but notable about a call (decisions A8, A19, G11). */
function reportOddities(tool: ActfTool, place: string, tcid: string, report: Report): void {
  const { id, status, exit_code: exitCode } = tool;
  if (status !== undefined && status !== null && typeof status !== 'string')
    reportOddValue(status, `${place}/status`, 'a text', report);
  if (exitCode !== undefined && exitCode !== null && !isInteger(exitCode))
    reportOddValue(exitCode, `${place}/exit_code`, 'an integer', report);
  if (!isBlank(id) && id !== tcid) {
    const message = `the tool id ${quote(id ?? '')} was used by an earlier call of this attempt; this call is ${quote(tcid)}`;
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
    const message = `function.name is ${quote(second)} beside the name ${quote(tool.name ?? '')}, which gives the function of this call; it is not kept`;
    report('loss', 'actf/unused-function-name', `${place}/function/name`, message);
  }
}

function reportOddValue(value: Json, pointer: string, expected: string, report: Report): void {
  const message = `this is ${describeJson(value)}, not ${expected}; it is kept as it is, without a meaning`;
  report('warning', 'actf/unexpected-tool-value', pointer, message);
}
