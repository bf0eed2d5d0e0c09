// Rows of Ankole's tables as a database dump gives them: generates them, and measures their import into Storylines beside JSON.parse.
//   node bench/ankole-import.mjs FOLDER [SIZE]   SIZE is 100M by default; the files are deleted afterwards
// Three files, each written in constant memory: rows of ai_gateway_messages a row a line, 50 conversations of 60 rows mixed with one another
// at any time; the same rows as one array; rows of background_agent_job_turn_items a row a line, 40 items a turn. A tool's output has 0.1 to
// 4 kB. Every measurement is a process of its own; memory is its maxRSS.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ankole } from '@pchronicle/format-ankole';
import { bytesOf, describeMachine, measure, runPhase } from './rows.mjs';

const CONVERSATIONS = 50;
const ROWS = 60;
const ITEMS = 40;
const [mode, argument = '100M'] = process.argv.slice(2);
const self = fileURLToPath(import.meta.url);

const WORDS =
  'the shelf in bay four holds 17 crates; "the loader" counts them\ttwice before noon\n— 世界 — then rain came'.split(
    ' ',
  );

/** A text of some words that is the same in every run. */
function text(seed, words) {
  const out = [];
  for (let at = 0; at < words; at += 1)
    out.push(WORDS[(seed * 31 + at * 7 + ((seed + at) >> 3)) % WORDS.length]);
  return out.join(' ');
}

const uuid = (kind, number) => `019f${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`;
const time = (seconds) => `${new Date(1_787_000_000_000 + seconds * 1000).toISOString().slice(0, -1)}000Z`;
const outputWords = (number) => 20 + ((number * 131) % 680);

function messageRow(conversation, index) {
  const number = conversation * ROWS + index;
  const call = (at) => `call_${at.toString(36).padStart(10, '0')}`;
  const asks = index % 4 === 0;
  const answers = index % 4 === 3;
  const input = asks
    ? { type: 'message', role: 'user', content: [{ type: 'input_text', text: text(number, 60) }] }
    : { type: 'function_call_output', call_id: call(number - 1), output: text(number, outputWords(number)) };
  const summary = [{ type: 'summary_text', text: text(number + 1, 40) }];
  const output = answers
    ? {
        type: 'message',
        id: `msg_${number}`,
        role: 'assistant',
        content: [{ type: 'output_text', text: text(number, 120), annotations: [] }],
      }
    : {
        type: 'function_call',
        id: `fc_${number}`,
        call_id: call(number),
        name: 'read_file',
        arguments: JSON.stringify({ path: `notes/${number}.md`, lines: [1, 40] }),
        status: 'completed',
      };
  return {
    id: uuid('1111', number),
    subject_uid: 'agent-1',
    conversation_id: uuid('2222', conversation),
    type: 'message',
    role: null,
    status: 'complete',
    previous_message_id: index === 0 ? null : uuid('1111', number - 1),
    content: [input, { type: 'reasoning', id: `rs_${number}`, summary }, output],
    metadata: {
      request_item_count: 1,
      request_model: 'main',
      provider_model: 'm-large-2',
      usage: { input_tokens: 900 + number, output_tokens: 80 },
    },
    inserted_at: time(number),
    updated_at: time(number + 1),
  };
}

function* messages() {
  for (let first = 0; ; first += CONVERSATIONS)
    for (let index = 0; index < ROWS; index += 1)
      for (let at = 0; at < CONVERSATIONS; at += 1) yield messageRow(first + at, index);
}

function itemOf(position, number) {
  switch (position % 4) {
    case 0:
      return { type: 'agentMessage', id: `am-${number}`, text: text(number, 100), phase: 'commentary' };
    case 1:
      return {
        type: 'commandExecution',
        id: `ce-${number}`,
        command: `ls ${number}`,
        cwd: '/srv',
        aggregatedOutput: text(number, outputWords(number)),
        status: 'completed',
        exitCode: 0,
        durationMs: 12,
      };
    case 2:
      return { type: 'reasoning', id: `re-${number}`, summary: [text(number, 40)] };
    default:
      return {
        type: 'dynamicToolCall',
        id: `dt-${number}`,
        tool: 'find',
        arguments: { query: text(number, 6) },
        contentItems: [{ type: 'inputText', text: text(number, outputWords(number)) }],
        status: 'completed',
        success: true,
        durationMs: 7,
      };
  }
}

function* items() {
  for (let turn = 0; ; turn += 1)
    for (let position = 0; position < ITEMS; position += 1) {
      const number = turn * ITEMS + position;
      const known = { revision: 1, item_key: `item:${number}`, inserted_at: time(number) };
      yield { turn_id: uuid('3333', turn), position, ...known, item: itemOf(position, number) };
    }
}

async function generate(kind, size, path) {
  const file = createWriteStream(path);
  const isArray = kind === 'array';
  let written = 0;
  let count = 0;
  let piece = isArray ? '[' : '';
  for (const row of kind === 'items' ? items() : messages()) {
    piece += `${isArray && count > 0 ? ',' : ''}${JSON.stringify(row)}${isArray ? '' : '\n'}`;
    count += 1;
    if (piece.length < 256 * 1024) continue;
    written += Buffer.byteLength(piece);
    if (!file.write(piece)) await once(file, 'drain');
    piece = '';
    if (written >= size) break;
  }
  file.end(isArray ? ']\n' : '');
  await once(file, 'close');
}

if (mode === undefined) {
  console.error('usage: node bench/ankole-import.mjs FOLDER [SIZE]');
  process.exitCode = 2;
} else if (!(await runPhase(mode, argument, ankole))) {
  mkdirSync(mode, { recursive: true });
  console.log(describeMachine('format-ankole'));
  for (const [kind, name] of [
    ['lines', 'rows of messages, a line each'],
    ['array', 'rows of messages in an array'],
    ['items', 'rows of turn items, a line each'],
  ]) {
    const path = join(mode, kind === 'array' ? 'rows.json' : `${kind}.jsonl`);
    try {
      await generate(kind, bytesOf(argument), path);
      const size = statSync(path).size;
      const whole = measure(self, '--import', path);
      const show = ({ seconds, processor, peak }) =>
        `${(size / 1e6 / seconds).toFixed(1).padStart(6)} MB/s  ${(size / 1e6 / processor).toFixed(1).padStart(6)} MB a processor second  peak ${(peak / 1e6).toFixed(0)} MB`;
      console.log(
        `${name}: ${(size / 1e6).toFixed(0)} MB, ${whole.storylines} Storylines, ${whole.turns} turns`,
      );
      if (kind !== 'array') console.log(`  JSON.parse of each line  ${show(measure(self, '--parse', path))}`);
      console.log(`  import into Storylines   ${show(whole)}`);
      if (whole.peak > 400e6) {
        console.error('the peak memory is over 400 MB');
        process.exitCode = 1;
      }
    } finally {
      rmSync(path, { force: true });
    }
  }
}
