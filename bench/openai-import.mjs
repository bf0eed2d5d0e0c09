// OpenAI Messages rows of long sessions whose history every row repeats: generates them, and measures their import into Storylines
// beside JSON.parse of the same lines.
//   node bench/openai-import.mjs FOLDER [SIZE] [--edited]
//     writes FOLDER/rows.jsonl of SIZE bytes (default 2G), measures, prints, deletes it
// The file is written in constant memory: sessions of 50 steps, eight of them interleaved at any time, each row with all messages
// before it, so that some 25 bytes are history for each new one. With --edited they are two of 1,000 steps, in which a note stands
// for each observation older than the last five: no row repeats the history of the row before it as it was.
// Every measurement is a process of its own; memory is its maxRSS.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openaiMessages } from '@pchronicle/format-openai-msg';
import { bytesOf, describeMachine, measure, runPhase } from './rows.mjs';

const edited = process.argv.includes('--edited');
const STEPS = edited ? 1000 : 50;
const OBSERVED = 5;
const INTERLEAVED = edited ? 2 : 8;
const [mode, argument = '2G'] = process.argv.slice(2).filter((one) => one !== '--edited');
const self = fileURLToPath(import.meta.url);

/** A number that looks random and is the same in every run. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const words =
  'the agent reads a file, runs 12 tests; "quotes" and\nlines — 世界 — {"json": [1, 2.5]} then answers'.split(
    ' ',
  );

function text(random, length) {
  let made = '';
  while (made.length < length)
    made += `${words[Math.floor(random() * words.length)]}${Math.floor(random() * 1e4)} `;
  return made;
}

function observation(number, step, content) {
  return JSON.stringify({ role: 'tool', tool_call_id: `call_${number}_${step}`, content });
}

/** The rows of one session, one at a time. */
function* session(number) {
  const random = makeRandom(number + 1);
  const history = [
    JSON.stringify({ role: 'system', content: text(random, 4000) }),
    JSON.stringify({ role: 'user', content: text(random, 600) }),
  ];
  for (let step = 1; step <= STEPS; step += 1) {
    const old = step - OBSERVED - 1;
    if (edited && old > 0)
      history[2 * old + 1] = observation(number, old, `Old environment output: (${old % 90} lines omitted)`);
    const id = `call_${number}_${step}`;
    const calls = [
      {
        id,
        type: 'function',
        function: { name: 'run', arguments: JSON.stringify({ command: text(random, 200) }) },
      },
    ];
    const response = JSON.stringify({ role: 'assistant', content: text(random, 400), tool_calls: calls });
    yield `{"session_id":"session-${number}","step_id":${step},"created_at":${1785329600 + step},"job_id":"bench","agent_id":"bench-agent","agent_model":"model-a","messages":[${history.join(',')}],"response":${response},"meta_json":"{\\"env_state\\":{\\"prompt_tokens\\":${step * 900},\\"total_latency_ms\\":${1200 + step}}}"}\n`;
    history.push(response, observation(number, step, text(random, 2200)));
  }
}

async function generate(path, size) {
  const file = createWriteStream(path);
  let written = 0;
  let next = 0;
  let open = [];
  while (written < size || open.length > 0) {
    while (open.length < INTERLEAVED && written < size) {
      open.push(session(next));
      next += 1;
    }
    const still = [];
    for (const one of open) {
      const { value, done } = one.next();
      if (done === true) continue;
      written += Buffer.byteLength(value);
      if (!file.write(value)) await once(file, 'drain');
      still.push(one);
    }
    open = still;
  }
  file.end();
  await once(file, 'close');
}

if (mode === undefined) {
  console.error('usage: node bench/openai-import.mjs FOLDER [SIZE] [--edited]');
  process.exitCode = 2;
} else if (!(await runPhase(mode, argument, openaiMessages))) {
  mkdirSync(mode, { recursive: true });
  const path = join(mode, 'rows.jsonl');
  try {
    await generate(path, bytesOf(argument));
    const size = statSync(path).size;
    const plain = measure(self, '--parse', path);
    const whole = measure(self, '--import', path);
    const rate = ({ seconds }) => size / 1e6 / seconds;
    console.log(describeMachine('format-openai-msg'));
    console.log(
      `${(size / 1e9).toFixed(2)} GB, ${plain.rows} rows of ${whole.storylines} sessions, ${whole.turns} turns`,
    );
    for (const [name, one] of Object.entries({
      'JSON.parse of each line': plain,
      'import into Storylines': whole,
    }))
      console.log(
        `${name.padEnd(26)}${rate(one).toFixed(0).padStart(6)} MB/s  ${one.seconds.toFixed(1).padStart(7)} s  peak ${(one.peak / 1e6).toFixed(0)} MB`,
      );
    console.log(`ratio ${(rate(whole) / rate(plain)).toFixed(2)}`);
    if (whole.peak > 400e6) {
      console.error('the peak memory is over 400 MB');
      process.exitCode = 1;
    }
  } finally {
    rmSync(path, { force: true });
  }
}
