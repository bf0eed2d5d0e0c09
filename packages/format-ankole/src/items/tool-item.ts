import { compareText, getOwn, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { filledText, listOf, objectIn, objectOf, textOf } from '../members.ts';
import type { ToolItem } from './message.ts';
import { boundedJson, sortedJson } from './sorted-json.ts';

/** A tool item, and whether something of it was cut. */
export interface ProjectedTool {
  readonly tool: ToolItem;
  readonly truncated: boolean;
}

const COLLABORATION: ReadonlyMap<string, string> = new Map([
  ['spawnAgent', 'spawn_agent'],
  ['sendInput', 'send_message'],
  ['resumeAgent', 'followup_task'],
  ['wait', 'wait_agent'],
  ['closeAgent', 'interrupt_agent'],
]);

/** What each kind of tool item becomes (notes §2.3); `undefined` for every other item. */
export function projectTool(type: string, item: JsonObject): ProjectedTool | undefined {
  const status = { status: getOwn(item, 'status') ?? null };
  const duration = { duration_ms: getOwn(item, 'durationMs') ?? null };
  const completed = { status: 'completed' };
  switch (type) {
    case 'commandExecution':
      return build('shell', members(item, { command: 'command', cwd: 'cwd' }), {
        result: getOwn(item, 'aggregatedOutput'),
        metadata: { ...status, exit_code: getOwn(item, 'exitCode') ?? null, ...duration },
      });
    case 'fileChange':
      return build('apply_patch', members(item, { changes: 'changes' }), { metadata: status });
    case 'mcpToolCall':
      return projectMcp(item, { ...status, ...duration });
    case 'dynamicToolCall':
      return projectDynamic(item, { ...status, success: getOwn(item, 'success') ?? null, ...duration });
    case 'collabAgentToolCall':
      return projectCollaboration(item, status);
    case 'webSearch':
      return build('web_search', members(item, { query: 'query', action: 'action' }), {
        metadata: { ...completed, execution_mechanism: 'provider_hosted' },
      });
    case 'imageView':
      return build('view_image', members(item, { path: 'path' }), { metadata: completed });
    case 'sleep':
      return build('sleep', members(item, { duration_ms: 'durationMs' }), { metadata: completed });
    case 'contextCompaction':
      return build('context_compaction', {}, { metadata: completed });
    case 'imageGeneration':
      return build('image_generation', item, { metadata: completed });
    default:
      return undefined;
  }
}

interface Outcome {
  readonly namespace?: string | undefined;
  readonly result?: Json | undefined;
  readonly open?: boolean;
  readonly metadata: { readonly [key: string]: Json };
}

function build(name: string, args: Json, outcome: Outcome): ProjectedTool {
  const given = boundedJson(args ?? {});
  const result =
    typeof outcome.result === 'string'
      ? { text: outcome.result, truncated: false }
      : outcome.result === undefined || outcome.result === null
        ? { text: '', truncated: false }
        : boundedJson(outcome.result);
  return {
    tool: {
      name,
      namespace: outcome.namespace,
      arguments: given.text,
      result: outcome.open === true ? undefined : result.text,
      metadata: outcome.metadata,
    },
    truncated: given.truncated || result.truncated,
  };
}

/** Arguments under new names; members that the item lacks are null. */
function members(item: JsonObject, names: { readonly [argument: string]: string }): JsonObject {
  return Object.fromEntries(Object.entries(names).map(([to, from]) => [to, getOwn(item, from) ?? null]));
}

function projectMcp(item: JsonObject, metadata: Outcome['metadata']): ProjectedTool {
  const server = filledText(item, 'server');
  const prefixed = server === undefined || server.startsWith('mcp__') ? server : `mcp__${server}`;
  const namespace = filledText(item, 'namespace') ?? prefixed;
  const name = filledText(item, 'name') ?? filledText(item, 'tool') ?? 'mcp_tool';
  const result = getOwn(item, 'result') ?? getOwn(item, 'error');
  return build(plain(name), getOwn(item, 'arguments') ?? {}, {
    namespace: namespace === undefined ? undefined : plain(namespace),
    result,
    metadata,
  });
}

/** A name that a model may call: letters, digits and underscores. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_');
}

function projectDynamic(item: JsonObject, metadata: Outcome['metadata']): ProjectedTool {
  const name = filledText(item, 'tool') ?? 'dynamic_tool';
  const isOpen = isOpenQuestion(item);
  return build(name, getOwn(item, 'arguments') ?? {}, {
    namespace: filledText(item, 'namespace'),
    result: getOwn(item, 'contentItems'),
    open: isOpen,
    metadata: isOpen
      ? { status: 'pending_user_input' }
      : { ...metadata, execution_mechanism: 'local_dynamic' },
  });
}

/** A question to a person that has no answer yet (decision K4). */
export function isOpenQuestion(item: JsonObject): boolean {
  return textOf(item, 'tool') === 'request_user_input' && textOf(item, 'status') === 'inProgress';
}

function projectCollaboration(item: JsonObject, status: { readonly status: Json }): ProjectedTool {
  const tool = textOf(item, 'tool') ?? '';
  const name = COLLABORATION.get(tool) ?? (tool === '' ? 'collaboration' : tool);
  return build(name, collaborationArguments(tool, item), {
    namespace: 'collaboration',
    result: sortedJson({ agents: agentsOf(item), ...status }),
    metadata: status,
  });
}

function collaborationArguments(tool: string, item: JsonObject): JsonObject {
  const receivers = { receiver_thread_ids: getOwn(item, 'receiverThreadIds') ?? null };
  if (tool === 'sendInput') return { ...receivers, input: getOwn(item, 'prompt') ?? null };
  if (tool !== 'spawnAgent') return receivers;
  return members(item, { prompt: 'prompt', model: 'model', reasoning_effort: 'reasoningEffort' });
}

/** The agents that received the call in their order, then others whose state is known, by id. */
function agentsOf(item: JsonObject): readonly JsonObject[] {
  const states = objectIn(item, 'agentsStates');
  const receivers = getOwn(item, 'receiverThreadIds');
  const ids = new Set(listOf(receivers).filter((id) => typeof id === 'string'));
  for (const id of Object.keys(states).sort(compareText)) ids.add(id);
  return [...ids].map((id) => {
    const given = getOwn(states, id);
    const state = objectOf(given);
    const status = getOwn(state, 'status') ?? null;
    const message = getOwn(state, 'message') ?? null;
    return {
      thread_id: id,
      ...(status === null ? {} : { status }),
      ...(message === null ? {} : { message }),
    };
  });
}
