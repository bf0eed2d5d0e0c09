import type { Shape, ShapeName, Slot } from '../storyline/shape.ts';

const text: Slot = { type: 'string', nullable: true };
const name: Slot = { type: 'string', required: true, filled: true };
const integer: Slot = { type: 'integer', nullable: true };
const boolean: Slot = { type: 'boolean', nullable: true };
const any: Slot = { type: 'any', nullable: true };
const time: Slot = { type: 'time', nullable: true };

export const SHAPES: { readonly [name in ShapeName]: Shape } = {
  storyline: {
    keys: {
      schema_version: { type: 'string', required: true },
      session: name,
      agent: { type: 'object', required: true, shape: 'agent' },
      turns: { type: 'array', required: true, shape: 'turn' },
      origin: { type: 'object', nullable: true, shape: 'origin' },
      run: text,
      trajectory: { type: 'string', nullable: true, filled: true },
      attempt_id: text,
      parent: { type: 'object', nullable: true, shape: 'parent' },
      children: { type: 'array', nullable: true },
      notes: text,
      task: { type: 'object', nullable: true, shape: 'task' },
      prompt: { type: 'object', nullable: true, shape: 'prompt' },
      started_at: time,
      finished_at: time,
      final_metrics: any,
      continued_trajectory_ref: text,
      extra: any,
      meta: any,
      unknown_fields: { type: 'object', shape: 'unknownFields' },
      unknown_key_counts: { type: 'object', map: true },
    },
  },
  origin: {
    keys: {
      format: name,
      schema_version: { type: 'string', nullable: true, filled: true },
      document_id: { type: 'string', nullable: true, filled: true },
    },
  },
  agent: { keys: { id: name, name: text, ver: text, model: text, tools: any, extra: any } },
  parent: {
    keys: { psid: { type: 'string', required: true }, scid: text, ptid: integer, rel: { type: 'string' } },
  },
  task: {
    keys: {
      env: { type: 'object', nullable: true, shape: 'env' },
      llm: { type: 'object', nullable: true, shape: 'llm' },
      result: { type: 'object', nullable: true, shape: 'result' },
    },
  },
  llm: { keys: { k: { type: 'integer', nullable: true, positive: true } } },
  result: {
    open: true,
    keys: {
      correct: boolean,
      score: any,
      status: text,
      error: text,
      final_answer: any,
      ground_truth: any,
      artifacts: any,
      max_score: any,
    },
  },
  env: {
    keys: {
      name: text,
      endpoint: text,
      id: text,
      event_type: text,
      request_id: text,
      state: { type: 'object', nullable: true, map: true },
    },
  },
  prompt: { keys: { system: text, user: text } },
  turnPrompt: { keys: { system: text, user: text } },
  turn: {
    keys: {
      id: { type: 'integer', required: true },
      src: name,
      msg: { type: 'any', required: true, nullable: true },
      kind: text,
      ts: time,
      finished_at: time,
      reason: text,
      effort: any,
      tool_calls: { type: 'array', nullable: true, shape: 'call' },
      observation: any,
      metrics: any,
      extra: any,
      model: text,
      nllm: integer,
      latency_ms: integer,
      ttft_ms: integer,
      copied: boolean,
      env: { type: 'object', nullable: true, shape: 'env' },
      prompt: { type: 'object', nullable: true, shape: 'turnPrompt' },
    },
  },
  call: {
    keys: {
      tcid: name,
      fn: name,
      args: { type: 'any', required: true, nullable: true },
      result: any,
      duration_ms: integer,
      extra: any,
      kind: text,
      response: { type: 'object', nullable: true, shape: 'response' },
    },
  },
  response: { keys: { status: text, exit_code: integer } },
  unknownFields: {
    keys: { sources: { type: 'object', required: true, map: true, shape: 'residualSource' } },
  },
  residualSource: {
    keys: {
      source_document_id: { type: 'string', required: true },
      fields: { type: 'object', required: true, map: true },
    },
  },
};
