// Generated from schema/storyline.schema.json by scripts/generate.mjs; do not edit.
import type { Shape, ShapeName } from '../storyline/shape.ts';

/** The keys of every object that Storyline owns. */
export const SHAPES: { readonly [name in ShapeName]: Shape } = {
  storyline: {
    keys: {
      schema_version: { type: 'string', required: true },
      session: { type: 'string', filled: true, required: true },
      agent: { type: 'object', shape: 'agent', required: true },
      turns: { type: 'array', shape: 'turn', required: true },
      origin: { type: 'object', nullable: true, shape: 'origin' },
      run: { type: 'string', nullable: true },
      trajectory: { type: 'string', nullable: true, filled: true },
      attempt_id: { type: 'string', nullable: true },
      parent: { type: 'object', nullable: true, shape: 'parent' },
      children: { type: 'array', nullable: true },
      notes: { type: 'string', nullable: true },
      task: { type: 'object', nullable: true, shape: 'task' },
      prompt: { type: 'object', nullable: true, shape: 'prompt' },
      started_at: { type: 'time', nullable: true },
      finished_at: { type: 'time', nullable: true },
      final_metrics: { type: 'any', nullable: true },
      continued_trajectory_ref: { type: 'string', nullable: true },
      extra: { type: 'any', nullable: true },
      meta: { type: 'any', nullable: true },
      unknown_fields: { type: 'object', shape: 'unknownFields' },
      unknown_key_counts: { type: 'object', map: true },
    },
  },
  origin: {
    keys: {
      format: { type: 'string', filled: true, required: true },
      schema_version: { type: 'string', nullable: true, filled: true },
      document_id: { type: 'string', nullable: true, filled: true },
    },
  },
  agent: {
    keys: {
      id: { type: 'string', filled: true, required: true },
      name: { type: 'string', nullable: true },
      ver: { type: 'string', nullable: true },
      model: { type: 'string', nullable: true },
      tools: { type: 'any', nullable: true },
      extra: { type: 'any', nullable: true },
    },
  },
  parent: {
    keys: {
      psid: { type: 'string', required: true },
      scid: { type: 'string', nullable: true },
      ptid: { type: 'integer', nullable: true },
      rel: { type: 'string' },
    },
  },
  task: {
    keys: {
      env: { type: 'object', nullable: true, shape: 'env' },
      llm: { type: 'object', nullable: true, shape: 'llm' },
      result: { type: 'object', nullable: true, shape: 'result' },
    },
  },
  llm: {
    keys: {
      k: { type: 'integer', nullable: true, positive: true },
    },
  },
  result: {
    open: true,
    keys: {
      correct: { type: 'boolean', nullable: true },
      score: { type: 'any', nullable: true },
      status: { type: 'string', nullable: true },
      error: { type: 'string', nullable: true },
      final_answer: { type: 'any', nullable: true },
      ground_truth: { type: 'any', nullable: true },
      artifacts: { type: 'any', nullable: true },
      max_score: { type: 'any', nullable: true },
    },
  },
  env: {
    keys: {
      name: { type: 'string', nullable: true },
      endpoint: { type: 'string', nullable: true },
      id: { type: 'string', nullable: true },
      event_type: { type: 'string', nullable: true },
      request_id: { type: 'string', nullable: true },
      state: { type: 'object', nullable: true, map: true },
    },
  },
  prompt: {
    keys: {
      system: { type: 'string', nullable: true },
      user: { type: 'string', nullable: true },
    },
  },
  turnPrompt: {
    keys: {
      system: { type: 'string', nullable: true },
      user: { type: 'string', nullable: true },
    },
  },
  turn: {
    keys: {
      id: { type: 'integer', required: true },
      src: { type: 'string', filled: true, required: true },
      msg: { type: 'any', nullable: true, required: true },
      kind: { type: 'string', nullable: true },
      ts: { type: 'time', nullable: true },
      finished_at: { type: 'time', nullable: true },
      reason: { type: 'string', nullable: true },
      effort: { type: 'any', nullable: true },
      tool_calls: { type: 'array', nullable: true, shape: 'call' },
      observation: { type: 'any', nullable: true },
      metrics: { type: 'any', nullable: true },
      extra: { type: 'any', nullable: true },
      model: { type: 'string', nullable: true },
      nllm: { type: 'integer', nullable: true },
      latency_ms: { type: 'integer', nullable: true },
      ttft_ms: { type: 'integer', nullable: true },
      copied: { type: 'boolean', nullable: true },
      env: { type: 'object', nullable: true, shape: 'env' },
      prompt: { type: 'object', nullable: true, shape: 'turnPrompt' },
    },
  },
  call: {
    keys: {
      tcid: { type: 'string', filled: true, required: true },
      fn: { type: 'string', filled: true, required: true },
      args: { type: 'any', nullable: true, required: true },
      result: { type: 'any', nullable: true },
      duration_ms: { type: 'integer', nullable: true },
      extra: { type: 'any', nullable: true },
      kind: { type: 'string', nullable: true },
      response: { type: 'object', nullable: true, shape: 'response' },
    },
  },
  response: {
    keys: {
      status: { type: 'string', nullable: true },
      exit_code: { type: 'integer', nullable: true },
    },
  },
  unknownFields: {
    keys: {
      sources: { type: 'object', map: true, shape: 'residualSource', required: true },
    },
  },
  residualSource: {
    keys: {
      source_document_id: { type: 'string', required: true },
      fields: { type: 'object', map: true, required: true },
    },
  },
};
