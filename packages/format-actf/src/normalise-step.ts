import {
  getOwn,
  isInteger,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';

const toolKeys = [
  'type',
  'id',
  'name',
  'input',
  'arguments',
  'command',
  'function',
  'aggregated_output',
  'status',
  'exit_code',
];

/** The normal form of the steps of one trajectory. Which ids were used by earlier steps matters for one-sided lists. */
export function normaliseSteps(steps: JsonArray): JsonArray {
  const used = new Set<string>();
  return steps.map((step) => (isJsonObject(step) ? normaliseStep(step, used) : step));
}

function normaliseStep(step: JsonObject, used: Set<string>): JsonObject {
  const said: JsonObject = isJsonObject(step.assistant_content) ? step.assistant_content : {};
  const tools = objects(step.tools);
  const calls = objects(said.tool_calls);
  const source = tools.length > 0 ? tools : calls;
  const alone = tools.length === 0 || calls.length === 0;
  const normal = source.map((tool, index) => normaliseTool(tool, step.step_id as Json, index, used));
  // A list that had no partner stays alone only if something in it shows that it was.
  const onlyHere = alone && normal.some(({ telling }) => telling);
  const list = normal.map(({ tool }) => tool);
  for (const { id } of normal) used.add(id);
  return {
    ...step,
    system_prompt: step.system_prompt ?? '',
    user_content: step.user_content ?? '',
    assistant_content: {
      ...said,
      content: said.content ?? '',
      reasoning_content: said.reasoning_content ?? '',
      tool_calls: onlyHere && tools.length > 0 ? [] : list,
    },
    tools: onlyHere && tools.length === 0 ? [] : list,
    observation: step.observation ?? [],
  };
}

interface NormalTool {
  readonly tool: JsonObject;
  /** The id by which observations refer to it. */
  readonly id: string;
  /** Whether it has something that the other list, had there been one, would have had too. */
  readonly telling: boolean;
}

function normaliseTool(
  source: JsonObject,
  stepId: Json,
  index: number,
  used: ReadonlySet<string>,
): NormalTool {
  const own = `step-${String(stepId)}-tool-${index}`;
  const id = typeof source.id === 'string' && source.id.trim() !== '' ? source.id : own;
  const tool: MutableJsonObject = {};
  const idTells =
    typeof source.id === 'string' && source.id !== '' && isTellingId(source.id, own, stepId, used);
  if (source.id && source.id !== own) tool.id = source.id;
  if (source.type) tool.type = source.type;
  const others = Object.keys(source).filter((key) => !toolKeys.includes(key));
  const called: JsonObject = isJsonObject(source.function) ? source.function : {};
  const command = source.command ?? undefined;
  const args =
    source.input ?? source.arguments ?? called.arguments ?? (command === undefined ? undefined : { command });
  let telling = idTells || others.length > 0;
  if (args === undefined) {
    for (const key of ['name', 'function', 'aggregated_output']) {
      const value = source[key] ?? undefined;
      if (value === undefined) continue;
      tool[key] = value;
      telling = true;
    }
  } else {
    const name = source.name || called.name;
    if (name) tool.name = name;
    if (source.type === 'command_execution' && isOnlyCommand(args)) tool.command = args.command;
    else tool.input = args;
    if ((source.aggregated_output ?? undefined) !== undefined)
      tool.aggregated_output = source.aggregated_output ?? null;
    const rest = Object.entries(called).filter(([key]) => key !== 'name' && key !== 'arguments');
    if (rest.length > 0) tool.function = Object.fromEntries(rest) as JsonObject;
    telling ||= rest.length > 0;
  }
  for (const key of others) setOwn(tool, key, getOwn(source, key) ?? null);
  const status = source.status ?? undefined;
  const exitCode = source.exit_code ?? undefined;
  if (status !== undefined) tool.status = status;
  if (exitCode !== undefined) tool.exit_code = exitCode;
  const odd =
    (status !== undefined && (typeof status !== 'string' || status === '')) ||
    (exitCode !== undefined && !isInteger(exitCode));
  return { tool, id, telling: telling || odd };
}

/** Whether an id is kept by itself: blank, used by an earlier step, or one that would be taken for a made-up one. */
function isTellingId(id: string, own: string, stepId: Json, used: ReadonlySet<string>): boolean {
  if (id === own) return false;
  if (id.trim() === '' || used.has(id)) return true;
  if (!id.startsWith(`${own}@`)) return false;
  return id
    .slice(own.length)
    .split(`@${String(stepId)}`)
    .every((between) => between === '');
}

function isOnlyCommand(args: Json): args is { readonly command: Json } {
  return isJsonObject(args) && Object.keys(args).length === 1 && (getOwn(args, 'command') ?? null) !== null;
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
