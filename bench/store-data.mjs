// The trajectories that the benches of the store import: the same in every run, text that compresses about as prose does.

/** Gives a function that makes the events of a reading driver, `runs` Storylines of `steps` turns, `characters` in each message and result. */
export function storeData({ runs, steps, characters }) {
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const words = Array.from({ length: 8000 }, () =>
    Array.from({ length: 3 + random() * 8 }, () => 'abcdefghijklmnoprstuvw'[(random() * 22) | 0]).join(''),
  );
  const prose = (length) => {
    let text = '';
    while (text.length < length) text += `${words[(random() * random() * words.length) | 0]} `;
    return text;
  };
  const storyline = (run) => {
    const turns = [];
    for (let step = 0; step < steps; step += 1) {
      const at = new Date(1_760_000_000_000 + run * 60_000 + step * 1000).toISOString();
      turns.push(
        step % 4 === 0
          ? { id: step + 1, src: 'user', msg: prose(characters), ts: at }
          : {
              id: step + 1,
              src: 'agent',
              msg: prose(characters / 2),
              reason: prose(characters / 2),
              ts: at,
              model: 'model-a',
              metrics: { prompt_tokens: 100 + step, completion_tokens: 20 },
              tool_calls: [
                {
                  tcid: `call_${run}_${step}`,
                  fn: ['shell', 'read', 'write'][step % 3],
                  args: { command: prose(characters / 4) },
                  result: prose(characters / 2),
                  duration_ms: step * 10,
                },
              ],
              observation: {
                results: [{ source_call_id: `call_${run}_${step}`, content: prose(characters / 2) }],
              },
            },
      );
    }
    return {
      schema_version: 'storyline/v1',
      session: `session-${run}`,
      trajectory: `task-${run % 500}-${run}`,
      run: `task-${run % 500}`,
      attempt_id: String((run / 500) | 0),
      agent: { id: 'bench', model: 'model-a' },
      prompt: { system: 'You are a helpful agent.' },
      task: { result: { correct: run % 3 === 0, score: run % 10 } },
      turns,
    };
  };
  const start = state;
  async function* events() {
    state = start;
    for (let run = 0; run < runs; run += 1) {
      const at = { source: 'bench.jsonl', record: run + 1, offset: run * 1000, pointer: '' };
      const document = { ordinal: run, format: 'storyline', at };
      yield { type: 'document', document };
      yield { type: 'storyline', storyline: storyline(run), document, at };
      yield { type: 'end', document, accepted: true, storylines: 1, ranges: [] };
    }
  }
  return { events, words };
}
