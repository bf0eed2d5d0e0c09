// Small documents that tests write to disk.

/** A JSON object that a test builds. */
export type Doc = Record<string, unknown>;

/** One ACTF step that says something, and perhaps calls a tool. */
export function actfStep(
  number: number,
  content: string,
  call?: { id: string; command: string; output: string },
): Doc {
  const tools =
    call === undefined
      ? []
      : [{ id: call.id, type: 'tool_use', name: 'bash', input: { command: call.command } }];
  return {
    step_id: number,
    assistant_content: { content, reasoning_content: `thinking about ${number}`, tool_calls: tools },
    metric: {
      prompt_tokens_len: 100 + number,
      completion_tokens_len: 10 + number,
      llm_infer_ms: 1_200,
      env_action_ms: 30,
      stop_reason: 'stop',
    },
    system_prompt: 'You are careful.',
    user_content: 'What is the answer?',
    tools,
    observation: call === undefined ? [] : [{ tool_use_id: call.id, content: call.output }],
    started_at: `2026-08-01T00:00:${String(number % 60).padStart(2, '0')}Z`,
    finished_at: `2026-08-01T00:00:${String((number + 1) % 60).padStart(2, '0')}Z`,
  };
}

/** One ACTF attempt of some steps. */
export function actfAttempt(steps: readonly Doc[], more: Doc = {}): Doc {
  return {
    correct: true,
    final_answer: '42',
    ground_truth: '42',
    status: 'completed',
    score: 1,
    error: '',
    artifacts: {},
    extra: {},
    analysis_result: {},
    meta: {},
    trajectory: {
      schema_version: 'ACTF_v1.0',
      started_at: '2026-08-01T00:00:00Z',
      finished_at: '2026-08-01T00:01:00Z',
      steps,
    },
    ...more,
  };
}

/** An ACTF document; by default one attempt of two steps. */
export function actfDocument(taskId: string, attempts?: Record<string, Doc>, more: Doc = {}): Doc {
  const all = attempts ?? {
    '1': actfAttempt([
      actfStep(1, 'I will look.', { id: `${taskId}-call`, command: 'ls -l', output: 'total 0' }),
      actfStep(2, 'The answer is 42.'),
    ]),
  };
  return {
    task_id: taskId,
    category: 'demo',
    k: Math.max(1, Object.keys(all).length),
    correct: true,
    attempts_tried: Object.keys(all).length,
    solved_at: null,
    attempts: all,
    ...more,
  };
}

/** A Storyline of some turns. */
export function storylineDocument(session: string, turns: readonly Doc[] = [], more: Doc = {}): Doc {
  return { schema_version: 'storyline/v1', session, agent: { id: 'tester' }, turns, ...more };
}

/** A turn that says something. */
export function turn(id: number, msg: unknown = `turn ${id}`): Doc {
  return { id, src: id % 2 === 1 ? 'user' : 'agent', msg };
}
