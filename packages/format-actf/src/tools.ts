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
  const plain = (tool: ActfTool): JsonObject => ({ ...tool, type: tool.type || null, id: tool.id || null });
  return left === right || equalJson(plain(left), plain(right));
}

/** The arguments of a call, and the key they came from; `remainder` when it has no key for them. */
export interface ToolArguments {
  readonly args: Json;
  readonly from: 'input' | 'arguments' | 'function/arguments' | 'command' | 'remainder';
}

/** Every argument form that a call has, in the order in which they are chosen (decision A4). A null is no form. */
export function argumentForms(tool: ActfTool): readonly ToolArguments[] {
  const forms: ToolArguments[] = [];
  const add = (from: ToolArguments['from'], args: Json | undefined): void => {
    if (args !== undefined && args !== null) forms.push({ from, args });
  };
  add('input', tool.input);
  add('arguments', tool.arguments);
  add('function/arguments', tool.function?.arguments);
  if (tool.command !== undefined && tool.command !== null) add('command', { command: tool.command });
  return forms;
}

/** What is left of a call that has no key for arguments: all but type, id, status, exit_code and nulls of known keys (decision A5). */
export function remainder(tool: ActfTool): JsonObject {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(tool)) {
    const value = getOwn(tool, key) ?? null;
    if (key === 'type' || key === 'id' || key === 'status' || key === 'exit_code') continue;
    if (value !== null || !Object.hasOwn(TOOL, key)) setOwn(rest, key, value);
  }
  return rest;
}

/** Whether arguments are written as `command`: a command execution whose arguments are a command and nothing else. */
export function isCommand(type: string | null | undefined, args: Json): args is { readonly command: Json } {
  if (type !== COMMAND_EXECUTION || typeof args !== 'object' || args === null || Array.isArray(args))
    return false;
  const command = getOwn(args as JsonObject, 'command');
  return command !== undefined && command !== null && Object.keys(args).length === 1;
}
