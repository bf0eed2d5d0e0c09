import {
  getOwn,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonArray,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { answer, type Call } from './normalise-answer.ts';
import { nameCalls } from './normalise-call-names.ts';
import { type Aside, listen, putAside, textAt } from './normalise-content.ts';

const noTime = '1970-01-01 00:00:00+00:00';

const counters = ['prompt_tokens_len', 'completion_tokens_len', 'llm_infer_ms', 'env_action_ms'];

const noMetric: JsonObject = Object.fromEntries([...counters, 'stop_reason'].map((key) => [key, null]));

/** A step under construction. */
interface Step {
  readonly object: JsonObject;
  readonly tools: readonly MutableJsonObject[];
  readonly results: Json[];
}

/** The last call of each id. */
type Open = Map<string, Call>;

/** The trajectory object that an event array becomes; what it has no place for goes aside, at its pointer in the document. */
export function normaliseEvents(events: JsonArray, pointer: string, aside: Aside): JsonObject {
  const timestamps = events.map((event) => textAt(event, 'timestamp')).filter((text) => text !== undefined);
  const roles = events.map((event) => (textAt(event, 'type') === 'message' ? roleOf(event) : undefined));
  const lastSession = events.findLastIndex(
    (event) =>
      textAt(event, 'type') === 'session' && (textAt(event, 'id') || textAt(event, 'cwd') !== undefined),
  );
  const lastModel = events.findLastIndex(
    (event) => textAt(event, 'type') === 'model_change' && textAt(event, 'modelId'),
  );
  const names = nameCalls(events, roles, pointer);
  const steps: Step[] = [];
  const open: Open = new Map();
  let number = 0;
  events.forEach((event, index) => {
    const at = `${pointer}/${index}`;
    const role = roles[index];
    if (role === undefined) {
      if (index === lastModel) putAside(event, ['modelId'], at, aside);
      else if (index === lastSession) {
        putAside(
          event,
          [...(textAt(event, 'id') ? ['id'] : []), ...(textAt(event, 'cwd') === undefined ? [] : ['cwd'])],
          at,
          aside,
        );
      } else aside.set(at, event);
      return;
    }
    number += 1;
    const message = (event as { readonly message: JsonObject }).message;
    const answers = role === 'toolResult' ? textAt(message, 'toolCallId') : undefined;
    if (answers === undefined)
      steps.push(speak(event as JsonObject, message, role, number, names, open, at, aside));
    else if (!answer(event as JsonObject, message, open.get(answers), at, aside)) aside.set(at, event);
  });
  return {
    schema_version: 'ACTF_v1.0',
    started_at: timestamps[0] ?? noTime,
    finished_at: timestamps.at(-1) ?? noTime,
    steps: steps.map(({ object, tools, results }) => {
      const said = object.assistant_content as JsonObject;
      return { ...object, assistant_content: { ...said, tool_calls: tools }, tools, observation: results };
    }),
  };
}

function roleOf(event: Json): 'user' | 'assistant' | 'toolResult' | undefined {
  const role = textAt((event as JsonObject).message, 'role');
  return role === 'user' || role === 'assistant' || role === 'toolResult' ? role : undefined;
}

/** A message that becomes a step of its own. */
function speak(
  event: JsonObject,
  message: JsonObject,
  role: 'user' | 'assistant' | 'toolResult',
  number: number,
  names: ReadonlyMap<string, string>,
  open: Open,
  at: string,
  aside: Aside,
): Step {
  const time = textAt(event, 'timestamp');
  const model = role !== 'toolResult' && textAt(message, 'model') ? ['model'] : [];
  const measured = role === 'assistant' && isMetric(message.usage) ? ['usage'] : [];
  putAside(event, ['type', 'message', ...(time === undefined ? [] : ['timestamp'])], at, aside);
  putAside(message, ['role', 'content', ...model, ...measured], `${at}/message`, aside);
  const { text, thoughts, calls } = listen(
    message.content,
    role === 'assistant',
    `${at}/message/content`,
    aside,
  );
  const results: Json[] = [];
  const tools = calls.map(([part, place], position) => {
    const id = part.id as string;
    const name = names.get(place) ?? id;
    if (name !== id) aside.set(`${place}/id`, id);
    putAside(part, ['type', 'id', 'name', ...(part.arguments === null ? [] : ['arguments'])], place, aside);
    const call = writeCall(part, name, number, position, results);
    open.set(id, call);
    return call.tool;
  });
  return {
    object: {
      step_id: number,
      started_at: time ?? noTime,
      finished_at: time ?? noTime,
      system_prompt: '',
      user_content: '',
      assistant_content: { content: text ?? '', reasoning_content: thoughts },
      metric: measured.length > 0 ? (message.usage as Json) : noMetric,
    },
    tools,
    results,
  };
}

function writeCall(part: JsonObject, name: string, number: number, position: number, results: Json[]): Call {
  const implied = `step-${number}-tool-${position}`;
  let bare = name;
  while (bare.endsWith(`@${number}`)) bare = bare.slice(0, -`@${number}`.length);
  const silent = name.trim() === '' || bare === implied;
  return {
    written: silent ? implied : name,
    results,
    tool: {
      ...(silent ? {} : { id: name }),
      type: 'function',
      ...(part.name === 'function' ? {} : { name: part.name as string }),
      input: part.arguments ?? {},
    },
  };
}

function isMetric(usage: Json | undefined): boolean {
  return isJsonObject(usage) && counters.every((key) => isNumeric(getOwn(usage, key) ?? 0));
}
