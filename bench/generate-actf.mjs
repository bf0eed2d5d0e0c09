// Writes ACTF of any size, in constant memory: node bench/generate-actf.mjs KIND SIZE OUT [--attempts N] [--seed N]
//   lines     JSON Lines, one document a line (about 150 kB each)
//   array     one array of such documents
//   document  one document with N attempts (default 40) and its root fields after them
// SIZE is bytes, or takes K, M or G (powers of 1,000). The same seed gives the same bytes.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { attempts: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});
const [kind, sizeText, out] = positionals;
const match = /^(\d+(?:\.\d+)?)([KMG]?)$/i.exec(sizeText ?? '');
if (!['lines', 'array', 'document'].includes(kind) || match === null || out === undefined) {
  console.error(
    'usage: node bench/generate-actf.mjs lines|array|document SIZE OUT [--attempts N] [--seed N]',
  );
  process.exit(2);
}
const size = Number(match[1]) * { '': 1, K: 1e3, M: 1e6, G: 1e9 }[match[2].toUpperCase()];

// mulberry32: small, fast, seeded.
let state = Number(values.seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const below = (limit) => Math.floor(random() * limit);
const pick = (list) => list[below(list.length)];
const hex = (length) => Array.from({ length }, () => below(16).toString(16)).join('');

const words =
  'the of to and a in is it file error test build run path line value function return import module class object string number list map index key read write open close parse format commit branch merge patch diff fails passes expected received undefined timeout retry cache memory process thread lock queue socket request response header status token model agent tool call result step turn prompt system user answer because therefore however first then finally check fix update remove add create delete rename search replace compile link install configure deploy'.split(
    ' ',
  );
const chinese =
  '检查构建目录中的文件并修复测试失败的原因首先读取日志然后运行脚本最后提交结果模型需要更多上下文才能回答这个问题编译器报告了一个警告';
const code = [
  'const x = await read(path);',
  'if (error !== undefined) throw error;',
  'for i in range(len(items)):',
  '    return self.cache[key]',
  '#include <stdio.h>',
  'SELECT id, name FROM runs WHERE ok;',
  '\tmov eax, [ebp-4]',
  '{"nested": "json", "n": 1}',
];

function sentence() {
  const length = 6 + below(14);
  const made = Array.from({ length }, () => pick(words)).join(' ');
  return `${made[0].toUpperCase()}${made.slice(1)}${pick(['.', '.', ':', ';', '?'])}`;
}
function paragraph(characters) {
  const parts = [];
  for (let length = 0; length < characters; ) {
    const kindOfPart = random();
    const part =
      kindOfPart < 0.62
        ? sentence()
        : kindOfPart < 0.72
          ? chinese.slice(below(30), 30 + below(36))
          : kindOfPart < 0.9
            ? pick(code)
            : `${hex(8)}-${hex(4)} ${(random() * 1e6).toFixed(3)}`;
    parts.push(part);
    length += part.length + 1;
  }
  return parts.join(pick([' ', '\n']));
}

// Texts are drawn from a pool of 1,200 and given a number of their own, so that no two are equal and gzip finds no long repeats to speak of.
const pool = Array.from({ length: 1200 }, () => JSON.stringify(paragraph(120 + below(1800))).slice(1, -1));
const long = Array.from({ length: 24 }, () => JSON.stringify(paragraph(12_000 + below(60_000))).slice(1, -1));
let serial = 0;
function text() {
  serial += 1;
  return `"${pick(pool)} #${serial}"`;
}
const output = () => (random() < 0.03 ? `"${pick(long)} ${hex(16)}"` : text());
const time = (second) => `"${new Date(1_786_000_000_000 + second * 1000).toISOString()}"`;

function step(number) {
  const calls = random() < 0.75 ? 1 + (random() < 0.1 ? 1 : 0) : 0;
  const tools = [];
  const observations = [];
  for (let index = 0; index < calls; index += 1) {
    const id = `call_${hex(12)}`;
    if (random() < 0.3) {
      const command = text();
      tools.push(
        `{"type":"command_execution","id":"${id}","command":${command},"aggregated_output":${output()},"exit_code":0,"status":"completed"}`,
      );
    } else {
      tools.push(
        `{"type":"tool_use","id":"${id}","name":"${pick(['Bash', 'Read', 'Edit', 'Grep'])}","input":{"path":"src/${hex(6)}.ts","text":${text()}}}`,
      );
      observations.push(
        `{"type":"tool_result","tool_use_id":"${id}","content":${output()},"is_error":false}`,
      );
    }
  }
  const list = `[${tools.join(',')}]`;
  const extension =
    random() < 0.05
      ? `,"vendor":{"trace":"${hex(32)}","span":1786000000${String(below(1e9)).padStart(9, '0')}}`
      : '';
  return (
    `{"step_id":${number},"assistant_content":{"content":${text()},"reasoning_content":${text()},"tool_calls":${list}},` +
    `"metric":{"prompt_tokens_len":${below(90_000)},"completion_tokens_len":${below(4_000)},"llm_infer_ms":${(random() * 20_000).toFixed(1)},"env_action_ms":${below(5_000)},"stop_reason":"tool_use"},` +
    `"system_prompt":"You are a careful engineer.","user_content":"Make the build pass.","tools":${list},"observation":[${observations.join(',')}],` +
    `"started_at":${time(number * 10)},"finished_at":${time(number * 10 + 9)}${extension}}`
  );
}

/** One attempt in pieces; ends at the first step past `bytes`, or after `steps`. */
function* attempt(key, bytes, steps = Number.POSITIVE_INFINITY) {
  yield `"${key}":{"correct":${random() < 0.5},"final_answer":${text()},"ground_truth":"tests pass","status":"completed","score":${random().toFixed(4)},"error":"","artifacts":{"patch":${text()}},"extra":{},"analysis_result":{"note":${text()}},"meta":{"seed":9007199254740993},"trajectory":{"schema_version":"ACTF_v1.0","started_at":${time(0)},"finished_at":${time(99_999)},"steps":[`;
  let written = 0;
  for (let number = 1; number <= steps && written < bytes; number += 1) {
    const one = step(number);
    written += Buffer.byteLength(one);
    yield number === 1 ? one : `,${one}`;
  }
  yield ']}}';
}

function* smallDocument(number) {
  const attempts = 1 + below(3);
  yield `{"task_id":"task-${number}","category":"software-engineering","k":${attempts + below(3)},"correct":true,"attempts_tried":${attempts},"solved_at":null,"attempts":{`;
  for (let index = 1; index <= attempts; index += 1) {
    if (index > 1) yield ',';
    yield* attempt(String(index), Number.POSITIVE_INFINITY, 6 + below(30));
  }
  yield '}}';
}

function* bigDocument() {
  const count = Number(values.attempts);
  yield '{"attempts":{';
  for (let index = 1; index <= count; index += 1) {
    if (index > 1) yield ',';
    yield* attempt(String(index), size / count);
  }
  yield `},"vendor":{"host":"bench"},"solved_at":null,"attempts_tried":${count},"correct":false,"k":${count},"category":"software-engineering","task_id":"one-big-task"}`;
}

function* everything() {
  if (kind === 'document') yield* bigDocument();
  else {
    if (kind === 'array') yield '[';
    for (let number = 1; written < size; number += 1) {
      if (kind === 'array' && number > 1) yield ',\n';
      yield* smallDocument(number);
      if (kind === 'lines') yield '\n';
    }
    if (kind === 'array') yield ']';
  }
}

const stream = createWriteStream(out, { highWaterMark: 1 << 20 });
let written = 0;
let held = [];
let heldBytes = 0;
async function flush() {
  const chunk = held.join('');
  held = [];
  heldBytes = 0;
  if (!stream.write(chunk)) await once(stream, 'drain');
}
for (const piece of everything()) {
  held.push(piece);
  const bytes = Buffer.byteLength(piece);
  written += bytes;
  heldBytes += bytes;
  if (heldBytes > 1 << 19) await flush();
}
await flush();
stream.end();
await once(stream, 'finish');
console.log(`${out}: ${written} bytes`);
