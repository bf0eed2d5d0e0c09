import type { Json, JsonObject, MutableJsonObject, Report, ToolCall, Turn } from '@pchronicle/storyline-core';
import { isSynthesised } from './call-ids.ts';
import { COMMAND_EXECUTION } from './document.ts';
import { isBlank } from './emptiness.ts';
import { isFlat } from './read-tool.ts';
import { isCommand, synthesisedId } from './tools.ts';
import type { Way } from './way.ts';

/** Writes the calls of a turn into both lists; into one only where the source shows that it was alone (decision A9). */
export function writeTools(
  turn: Turn,
  index: number,
  way: Way,
  report: Report,
): { readonly tools: readonly Json[]; readonly calls: readonly Json[] } {
  const list = (turn.tool_calls ?? []).map((call, position) =>
    writeTool(call, turn, index, position, way, report),
  );
  const alone = way.aloneIn(index);
  return {
    tools: alone === 'assistant_content/tool_calls' ? [] : list,
    calls: alone === 'tools' ? [] : list,
  };
}

/** The id by which observations refer to a call in the document. */
export function writtenId(call: ToolCall, turn: Turn, index: number, position: number, way: Way): string {
  const { id } = way.othersOf(index, position);
  if (typeof id === 'string' && !isBlank(id)) return id;
  return hasNoId(call, turn, position, way) ? synthesisedId(turn.id, position) : call.tcid;
}

function hasNoId(call: ToolCall, turn: Turn, position: number, way: Way): boolean {
  return isBlank(call.tcid) || (way.own && isSynthesised(call.tcid, turn.id, position));
}

function writeTool(
  call: ToolCall,
  turn: Turn,
  index: number,
  position: number,
  way: Way,
  report: Report,
): JsonObject {
  const { tcid, fn, kind, args, result, response } = call;
  const type = kind ?? (way.own ? undefined : fn === COMMAND_EXECUTION ? fn : 'tool_use');
  if (kind === undefined && type === 'tool_use') {
    const pointer = `/turns/${index}/tool_calls/${position}/kind`;
    report('info', 'actf/default-value', pointer, 'the call has no kind; the type "tool_use" is written');
  }
  const tool: MutableJsonObject = {
    ...(hasNoId(call, turn, position, way) ? {} : { id: tcid }),
    ...(type === undefined ? {} : { type }),
  };
  const note = way.noteOf(index, position, 'input');
  if (note ?? !isFlat(args, argumentsAmong(way.othersOf(index, position)))) {
    const command = isCommand(type, args);
    const named = way.own ? fn !== type || way.noteOf(index, position, 'name') === true : !command;
    if (named) tool.name = fn;
    if (command) tool.command = args.command;
    else tool.input = args;
    if (result !== undefined && (way.own || type === COMMAND_EXECUTION)) tool.aggregated_output = result;
  }
  if (response?.status !== undefined) tool.status = response.status;
  if (response?.exit_code !== undefined) tool.exit_code = response.exit_code;
  return tool;
}

/** The residual keys of a call that may be its flat arguments. */
function argumentsAmong(others: JsonObject): JsonObject {
  const { id: _id, status: _status, exit_code: _code, ...rest } = others;
  return rest;
}
