import { arbitraryJson } from '@pchronicle/conformance';
import type { Json, JsonObject } from '@pchronicle/storyline-core';
import fc from 'fast-check';

const text = fc.oneof(
  fc.constantFrom('Count bay 4', '', '数 ...[truncated]', '[REDACTED]'),
  fc.string({ maxLength: 12 }),
);
const id = fc.constantFrom('call_a', 'call_b', 'call_c', '__proto__', '');
const time = fc.integer({ min: 0, max: 9 }).map((second) => `2026-08-20T08:00:0${second}.000000Z`);
const args = fc.oneof(
  fc.constantFrom('{"bay":4}', '{"bay": 4}', '{"a":1.0}', 'not json', '"text"', '7', ''),
  text,
);
const anything = arbitraryJson({ depth: 2 });
const record = (model: { [key: string]: fc.Arbitrary<Json> }, requiredKeys: readonly string[]) =>
  fc.record(model, { requiredKeys: [...requiredKeys] }) as fc.Arbitrary<JsonObject>;

const part = fc.oneof(
  text.map((value): Json => ({ type: 'input_text', text: value })),
  text.map((value): Json => ({ type: 'output_text', text: value, annotations: [] })),
  fc.constant<Json>({ type: 'input_image', image_url: 'data:' }),
);

/** Items of a conversation: known ones, and any object. */
export const responsesItem: fc.Arbitrary<Json> = fc.oneof(
  record(
    {
      type: fc.constant('message'),
      role: fc.constantFrom('user', 'assistant', 'system', 'developer', 'wizard'),
      content: fc.oneof(text, fc.array(part, { maxLength: 2 })) as fc.Arbitrary<Json>,
      id: text,
      status: fc.constantFrom('completed', 'incomplete'),
    },
    ['role', 'content'],
  ),
  record(
    {
      type: fc.constant('function_call'),
      call_id: id,
      name: text,
      arguments: args,
      namespace: text,
      caller: fc.constant({ type: 'program', caller_id: 'p' }),
      id: text,
      status: text,
    },
    ['type', 'call_id', 'name', 'arguments'],
  ),
  record({ type: fc.constant('custom_tool_call'), call_id: id, name: text, input: text }, [
    'type',
    'call_id',
    'name',
  ]),
  record(
    {
      type: fc.constantFrom(
        'program',
        'shell_call',
        'local_shell_call',
        'mcp_approval_request',
        'tool_search_call',
      ),
      call_id: id,
      id,
      code: text,
      action: anything,
    },
    ['type'],
  ),
  record(
    {
      type: fc.constantFrom(
        'function_call_output',
        'custom_tool_call_output',
        'local_shell_call_output',
        'program_output',
      ),
      call_id: id,
      output: fc.oneof(text, fc.array(part, { maxLength: 2 })) as fc.Arbitrary<Json>,
      id: text,
      content: anything,
    },
    ['type', 'call_id', 'output'],
  ),
  record(
    {
      type: fc.constant('reasoning'),
      id: text,
      summary: fc.array(
        text.map((value): Json => ({ type: 'summary_text', text: value })),
        { maxLength: 2 },
      ) as fc.Arbitrary<Json>,
      encrypted_content: text,
    },
    ['type', 'summary'],
  ),
  record({ type: fc.constantFrom('web_search_call', 'mcp_call'), id: text, status: text, action: anything }, [
    'type',
  ]),
  anything,
);

/** A page of one conversation. */
export const page: fc.Arbitrary<JsonObject> = fc
  .array(
    record(
      {
        subject_uid: fc.constantFrom('agent-1', 'agent-2', ''),
        type: fc.constantFrom('message', 'checkpoint', 'odd'),
        role: fc.constantFrom('user', null),
        status: fc.constantFrom('complete', 'generating', 'error', 'retracted'),
        previous_message_id: fc.constantFrom('row-0', 'row-1', 'gone', null),
        content: fc.array(responsesItem, { maxLength: 4 }) as fc.Arbitrary<Json>,
        metadata: fc.oneof(
          anything,
          record(
            { request_item_count: fc.nat({ max: 3 }), usage: fc.constant({ a: 1 }), provider_model: text },
            [],
          ),
        ),
        inserted_at: fc.oneof(time, text),
        updated_at: fc.oneof(time, text),
        vendor: anything,
      },
      ['type', 'status', 'content', 'previous_message_id'],
    ),
    { maxLength: 4 },
  )
  .chain((rows) =>
    record(
      {
        messages: fc.constant(
          rows.map((row, index) => ({ id: `row-${index}`, conversation_id: 'conv', ...row })),
        ),
        next_cursor: fc.constantFrom('abc', null),
        note: anything,
      },
      ['messages', 'next_cursor'],
    ),
  );

const call = record(
  {
    id: id,
    type: fc.constant('function'),
    function: record({ name: text, arguments: args, namespace: text, more: anything }, ['name', 'arguments']),
    index: anything,
  },
  ['id', 'type', 'function'],
);

const message: fc.Arbitrary<Json> = fc.oneof(
  record(
    { role: fc.constantFrom('user', 'developer'), content: text, id: text, metadata: fc.constant({ a: 1 }) },
    ['role', 'content'],
  ),
  record(
    {
      role: fc.constant('assistant'),
      content: text,
      id: text,
      reasoning_content: text,
      metadata: fc.constantFrom({ phase: 'plan' }, { status: 'pending_user_input' }),
      tool_calls: fc.array(call, { maxLength: 2 }) as fc.Arbitrary<Json>,
    },
    ['role', 'content'],
  ),
  record(
    {
      role: fc.constant('tool'),
      tool_call_id: id,
      name: text,
      content: text,
      namespace: text,
      metadata: fc.constantFrom<Json>(
        { status: 'completed', exit_code: 0, duration_ms: 3 },
        { execution_mechanism: 'local_dynamic' },
      ),
    },
    ['role', 'tool_call_id', 'name', 'content'],
  ),
  anything
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .map((value) => ({ ...(value as JsonObject) })),
);

/** An `ankole_chatml` document. */
export const chatml: fc.Arbitrary<JsonObject> = record(
  {
    format: fc.constant('ankole_chatml'),
    version: fc.constant(1),
    metadata: fc.constantFrom({ redacted: true }, { content_truncated: false, extra: [1] }, {}),
    messages: fc.array(message, { maxLength: 6 }) as fc.Arbitrary<Json>,
    next_cursor: anything,
  },
  ['format', 'version', 'messages'],
);

/** One page of a job. */
export const jobPage: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.array(fc.tuple(chatml, time, anything), { maxLength: 3 }),
    record(
      {
        title: text,
        task: text,
        status: text,
        error: anything,
        result: anything,
        extra: anything,
        started_at: time,
      },
      [],
    ),
    fc.constantFrom('abc', null),
  )
  .map(([turns, job, cursor]) => ({
    job: {
      id: 1000,
      agent_uid: 'agent-1',
      ...job,
      turns: turns.map(([trajectory, started_at, error], index) => ({
        id: `turn-${index}`,
        status: 'completed',
        trajectory,
        started_at,
        error,
      })),
      turns_next_cursor: cursor,
    },
  }));

/** A stored item of a job turn. */
export const threadItem: fc.Arbitrary<JsonObject> = fc.oneof(
  record({ type: fc.constant('userMessage'), id: text, clientId: text, content: anything }, [
    'type',
    'content',
  ]),
  record(
    {
      type: fc.constantFrom('agentMessage', 'plan', 'enteredReviewMode', 'unknown'),
      id: text,
      text,
      review: text,
      phase: text,
    },
    ['type'],
  ),
  record(
    {
      type: fc.constant('commandExecution'),
      id: text,
      command: anything,
      cwd: anything,
      aggregatedOutput: anything,
      status: anything,
      exitCode: anything,
      durationMs: anything,
    },
    ['type'],
  ),
  record(
    {
      type: fc.constantFrom('dynamicToolCall', 'mcpToolCall', 'collabAgentToolCall'),
      id: text,
      tool: text,
      server: text,
      namespace: text,
      arguments: anything,
      contentItems: anything,
      result: anything,
      status: fc.constantFrom('completed', 'inProgress'),
      agentsStates: anything,
    },
    ['type'],
  ),
  record(
    {
      type: fc.constantFrom('webSearch', 'imageGeneration', 'sleep', 'reasoning'),
      id: text,
      query: anything,
      summary: anything,
    },
    ['type'],
  ),
);

/** A row of a group of messages, as before August 2026. */
const groupRow: fc.Arbitrary<JsonObject> = record(
  {
    turn_id: fc.constant('turn-1'),
    position: fc.nat({ max: 5 }),
    revision: fc.nat({ max: 2 }),
    item_key: text,
    content: record({ messages: fc.array(message, { maxLength: 4 }) as fc.Arbitrary<Json>, more: anything }, [
      'messages',
    ]),
    inserted_at: fc.oneof(time, text),
    vendor: anything,
  },
  ['turn_id', 'position', 'content'],
);

/** Rows of one turn, as an array; items and groups of messages. */
export const itemRows: fc.Arbitrary<Json> = fc.array(
  fc.oneof(
    fc.tuple(fc.nat({ max: 5 }), threadItem, fc.boolean()).map(
      ([position, item, more]): JsonObject => ({
        turn_id: 'turn-1',
        position,
        revision: 1,
        item_key: 'k',
        item,
        inserted_at: '2026-08-20T09:00:00Z',
        ...(more ? { vendor: position, content: { messages: [] } } : {}),
      }),
    ),
    groupRow,
  ),
  { minLength: 1, maxLength: 4 },
);
