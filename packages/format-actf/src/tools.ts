import {
  equalJson,
  getOwn,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { type ActfStep, type ActfTool, COMMAND_EXECUTION } from './document.ts';
import { isBlank } from './emptiness.ts';
import { TOOL } from './shapes.ts';

/** The list that the calls of a step are read from, and where it stands in the step. */
export interface EffectiveTools {
  readonly tools: readonly ActfTool[];
  readonly at: 'tools' | 'assistant_content/tool_calls';
}

/** The calls of a step: `tools` when it has any, else `assistant_content.tool_calls` (RFC-0004, validation). */
export function effectiveTools(step: ActfStep): EffectiveTools {
  const { tools, assistant_content: content } = step;
  return tools !== undefined && tools !== null && tools.length > 0
    ? { tools, at: 'tools' }
    : { tools: content.tool_calls ?? [], at: 'assistant_content/tool_calls' };
}

/** The id that a call without one gets: `step-{step_id}-tool-{index}`. */
export function synthesisedId(stepId: JsonInteger, index: number): string {
  return `step-${stepId}-tool-${index}`;
}

/** The id of a call inside its step. */
export function effectiveId(tool: ActfTool, stepId: JsonInteger, index: number): string {
  return isBlank(tool.id) ? synthesisedId(stepId, index) : (tool.id as string);
}

/** The function a call names: `name`, else `function.name`, else `type`; "" when it has none of them. */
export function functionName(tool: ActfTool): string {
  return tool.name || tool.function?.name || tool.type || '';
}

/** Whether two calls are the same: null, missing and "" are one value for `type` and `id`, all else is compared strictly. */
export function sameTool(left: ActfTool, right: ActfTool): boolean {
  if ((left.type || null) !== (right.type || null) || (left.id || null) !== (right.id || null)) return false;
  const keys = strictKeys(left);
  if (keys.length !== strictKeys(right).length) return false;
  return keys.every((key) => {
    const value = getOwn(right, key);
    return value !== undefined && (value === left[key] || equalJson(value, left[key] ?? null));
  });
}

function strictKeys(tool: ActfTool): readonly string[] {
  return Object.keys(tool).filter((key) => key !== 'type' && key !== 'id');
}

/** Arguments of a call, and the key they came from. */
export interface ToolArguments {
  readonly args: Json;
  readonly from: 'input' | 'arguments' | 'function/arguments' | 'command';
}

/** The arguments of a call (decision A4): the first of its forms that is not null; `undefined` when it has none. */
export function chosenArguments(tool: ActfTool): Json | undefined {
  const { input, arguments: own, function: called, command } = tool;
  return (
    input ?? own ?? called?.arguments ?? (command === undefined || command === null ? undefined : { command })
  );
}

/** Every argument form that a call has, in the order in which they are chosen. A null is no form. */
export function argumentForms(tool: ActfTool): readonly ToolArguments[] {
  const { input = null, arguments: own = null, function: called, command = null } = tool;
  const inner = called?.arguments ?? null;
  const forms: ToolArguments[] = [];
  if (input !== null) forms.push({ from: 'input', args: input });
  if (own !== null) forms.push({ from: 'arguments', args: own });
  if (inner !== null) forms.push({ from: 'function/arguments', args: inner });
  if (command !== null) forms.push({ from: 'command', args: { command } });
  return forms;
}

/** What is left of a call that has no key for arguments: all but type, id, status, exit_code and nulls of known keys (decision A5). */
export function remainder(tool: ActfTool): JsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(tool)) {
    const value = tool[key] ?? null;
    if (key === 'type' || key === 'id' || key === 'status' || key === 'exit_code') continue;
    if (value !== null || !Object.hasOwn(TOOL, key)) setOwn(rest, key, value);
  }
  return rest;
}

const NONE: JsonObject = {};

/** The keys of a call that ACTF does not know. */
export function vendorKeys(tool: ActfTool): JsonObject {
  let others: MutableJsonObject | undefined;
  for (const key of Object.keys(tool)) {
    if (Object.hasOwn(TOOL, key)) continue;
    others ??= {};
    setOwn(others, key, tool[key] ?? null);
  }
  return others ?? NONE;
}

/** Whether arguments are written as `command`: a command execution whose arguments are a command and nothing else. */
export function isCommand(type: string | null | undefined, args: Json): args is { readonly command: Json } {
  if (type !== COMMAND_EXECUTION || typeof args !== 'object' || args === null || Array.isArray(args))
    return false;
  const command = getOwn(args as JsonObject, 'command');
  return command !== undefined && command !== null && Object.keys(args).length === 1;
}
