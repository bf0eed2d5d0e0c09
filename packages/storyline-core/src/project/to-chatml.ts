import type { Report } from '../issue.ts';
import { equalJson } from '../json/equal.ts';
import { stringify } from '../json/stringify.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { effectivePrompt } from '../storyline/effective-prompt.ts';
import type { Storyline, ToolCall, Turn } from '../storyline.ts';
import { chainStateOf, isRetained, objectOf, toldTurns } from './chain-state.ts';
import { messageContent, messageText } from './message-text.ts';
import { idsBySource, sourceIdOf } from './source-call-id.ts';

/** A ChatML document: `messages` have a `role` and `content`; calls and results are joined by id. */
export interface ChatmlDocument extends JsonObject {
  readonly format: 'ankole_chatml';
  readonly version: 1;
  readonly messages: readonly JsonObject[];
}

/** What a message came of. */
export interface MessageSource {
  readonly turn: Turn;
  /** The result, of a message that is one. */
  readonly result?: Json;
}

/** A ChatML document and, for each message, which turn it came from (position in `turns`) and what it is there. */
export interface ChatmlProjection {
  readonly document: ChatmlDocument;
  readonly turns: readonly number[];
  readonly sources: readonly MessageSource[];
}

/**
 * Projects turns of a Storyline to ChatML messages: prompts where they change, then each turn's own message with its calls, then the
 * results in their order. Nothing is dropped: what has no message of its own (a turn without message, calls and results) is reported.
 * Rows of OpenAI Messages say the request of a running agent loop again (decision O11): it is shown once, unless `everyTurn` asks for it.
 * The Storyline is not changed.
 */
export function toChatml(
  storyline: Storyline,
  report: Report,
  turns: readonly Turn[] = toldTurns(storyline.turns),
  everyTurn = false,
): ChatmlProjection {
  // What is ChatML already, other than stored rows, is shown as it is: nothing is added to it.
  const isChatml = storyline.origin?.format === 'ankole';
  const mayRepeat = !everyTurn && storyline.origin?.format === 'openai-msg';
  const messages: JsonObject[] = [];
  const origins: number[] = [];
  const sources: MessageSource[] = [];
  const shown = { system: '', user: '' };
  const called = new Map<string, Called>();
  const originals = idsBySource(turns.some(isRetained) ? storyline.turns : []);
  let asked: Json | undefined;
  turns.forEach((turn, at) => {
    const add: Add = (message, result) => {
      messages.push(message);
      origins.push(at);
      sources.push(result === undefined ? { turn } : { turn, result });
      if (message.role === 'user') asked = message.content;
    };
    const before = messages.length;
    const isExact = isChatml && chainStateOf(turn) === undefined;
    addPrompts(storyline, turn, shown, add);
    addEarlierResults(turn, at, called, add, isExact);
    const isRepeated = mayRepeat && repeatsRequest(turns, at, asked);
    if (!isRepeated) addTurn(turn, add, isExact);
    for (const call of turn.tool_calls ?? []) {
      called.set(call.tcid, { call, at });
      // Turns behind a checkpoint answer the call of the row, which stands here as it was kept.
      if (!isRetained(turn)) continue;
      for (const id of originals.get(sourceIdOf(call)) ?? [])
        if (!called.has(id)) called.set(id, { call, at });
      originals.delete(sourceIdOf(call));
    }
    addResults(turn, at, called, add, report, isExact);
    if (isRepeated) {
      const message =
        'the request is that of the turns before, said again with the results of their calls; it is shown once';
      report('info', 'core/repeated-request', `/turns/${at}`, message);
    } else if (messages.length === before) {
      report(
        'info',
        'core/no-message',
        `/turns/${at}`,
        `turn ${String(turn.id)} has no message, no call and no result, so it gives no ChatML message`,
      );
    }
  });
  const header = objectOf(getOwn(objectOf(storyline.meta) ?? {}, 'chatml')) ?? {};
  const metadata = objectOf(getOwn(header, 'metadata'));
  const flags = metadata === undefined ? {} : { metadata };
  return { document: { format: 'ankole_chatml', version: 1, ...flags, messages }, turns: origins, sources };
}

/** Takes a message, and the result that it is. */
type Add = (message: JsonObject, result?: Json) => void;

/** Prompts are messages where they differ from the last ones shown; context that was copied in had its own. */
function addPrompts(
  storyline: Storyline,
  turn: Turn,
  shown: { system: string; user: string },
  add: Add,
): void {
  if (turn.copied === true) return;
  const prompt = effectivePrompt(storyline, turn);
  for (const [side, role] of [
    ['system', 'system'],
    ['user', 'user'],
  ] as const) {
    if (prompt[side] !== '' && prompt[side] !== shown[side]) add({ role, content: prompt[side] });
    if (prompt[side] !== '') shown[side] = prompt[side];
  }
}

function addTurn(turn: Turn, add: Add, isExact: boolean): void {
  const calls = turn.tool_calls ?? [];
  const extra = objectOf(turn.extra) ?? {};
  const whole = isExact ? objectOf(getOwn(extra, 'message')) : undefined;
  if (whole !== undefined) add(whole);
  const isSaid = isExact && turn.src !== 'tool' && turn.kind !== 'internal';
  if (turn.msg === null && calls.length === 0 && turn.reason === undefined && !isSaid) return;
  const assistant = turn.src === 'agent';
  const payload = objectOf(getOwn(extra, 'payload')) ?? {};
  const id = getOwn(payload, 'id');
  const given = getOwn(payload, 'metadata');
  const metadata = isExact ? given : messageMetadata(turn, objectOf(given));
  const message: MutableJsonObject = {
    ...(id !== undefined && (isExact || typeof id === 'string')
      ? { id }
      : isExact
        ? {}
        : { id: String(turn.id) }),
    role: assistant ? 'assistant' : turn.src,
    content:
      isExact && turn.msg === null ? null : assistant ? messageText(turn.msg) : messageContent(turn.msg),
  };
  if (turn.reason !== undefined && turn.reason !== '') message.reasoning_content = turn.reason;
  if (calls.length > 0 || (isExact && turn.tool_calls !== undefined))
    message.tool_calls = calls.map((call) => callOf(call, isExact));
  if (metadata !== undefined) message.metadata = metadata;
  addMissing(message, getOwn(extra, 'chatml'));
  add(message);
}

/** Adds members that a message does not have. */
function addMissing(message: MutableJsonObject, more: Json | undefined): MutableJsonObject {
  const given = objectOf(more) ?? {};
  for (const key of Object.keys(given))
    if (!Object.hasOwn(message, key)) setOwn(message, key, given[key] as Json);
  return message;
}

/** What the source said of the message, and that a question of it is still open (decision K4). */
function messageMetadata(turn: Turn, own: JsonObject | undefined): JsonObject | undefined {
  const isOpen = turn.tool_calls?.some(({ response }) => response?.status === PENDING) === true;
  return isOpen ? { ...own, status: PENDING } : own;
}

/** Status of a call that waits for a person. */
const PENDING = 'pending_user_input';

function callOf(call: ToolCall, isExact: boolean): JsonObject {
  const extra = objectOf(call.extra) ?? {};
  const namespace = getOwn(extra, 'namespace');
  // A text is what the source has for arguments that are no JSON, unless it says that they are a JSON string.
  const isText = typeof call.args === 'string' && getOwn(extra, 'args_form') !== 'json';
  const called: MutableJsonObject = {
    name: call.fn,
    arguments: isText ? (call.args as string) : stringify(call.args),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  };
  const made: MutableJsonObject = { id: sourceIdOf(call), type: 'function', function: called };
  if (!isExact) return made;
  addMissing(called, getOwn(extra, 'function_payload'));
  return addMissing(made, getOwn(extra, 'payload'));
}

/** A call, and the position of its turn. */
interface Called {
  readonly call: ToolCall;
  readonly at: number;
}

/**
 * Whether a user turn only says a request again that an agent is at work on: it stands between calls and the turn that has their results,
 * as in sources that repeat the request in each row.
 */
function repeatsRequest(turns: readonly Turn[], at: number, asked: Json | undefined): boolean {
  const turn = turns[at] as Turn;
  const before = turns[at - 1];
  if (turn.src !== 'user' || turn.observation !== undefined || turn.tool_calls !== undefined) return false;
  if (asked === undefined || before === undefined || !equalJson(messageContent(turn.msg), asked))
    return false;
  const answered = new Set(resultsOf(before.observation).map(referenceOf));
  const open = (before.tool_calls ?? []).filter(
    (call) => call.result === undefined && !answered.has(call.tcid),
  );
  const given = new Set(resultsOf(turns[at + 1]?.observation).map(referenceOf));
  return open.some((call) => given.has(call.tcid));
}

/** Results of a turn that answer calls of earlier turns: the turn was said with them in view, so they stand before it. */
function addEarlierResults(
  turn: Turn,
  at: number,
  called: ReadonlyMap<string, Called>,
  add: Add,
  isExact: boolean,
): void {
  for (const result of resultsOf(turn.observation)) {
    const reference = referenceOf(result);
    const earlier = reference === undefined ? undefined : called.get(reference);
    if (reference === undefined || earlier === undefined || earlier.at === at) continue;
    add(resultOf(reference, earlier.call, result, contentOf(result), isExact), result);
  }
}

function contentOf(result: Json): Json | undefined {
  return isJsonObject(result) && Object.hasOwn(result, 'content') ? result.content : result;
}

/** The other results of a turn in their order; a call whose result lies only in the call itself comes last. */
function addResults(
  turn: Turn,
  at: number,
  called: ReadonlyMap<string, Called>,
  add: Add,
  report: Report,
  isExact: boolean,
): void {
  const calls = turn.tool_calls ?? [];
  const answered = new Set<string>();
  const results = resultsOf(turn.observation);
  const references = results.map(referenceOf);
  const named = new Set(references);
  const open = calls.filter((call) => !named.has(call.tcid));
  results.forEach((result, index) => {
    const reference =
      references[index] ?? (open.length === 1 && results.length === 1 ? open[0]?.tcid : undefined);
    const content = contentOf(result);
    if (reference === undefined) {
      const isResult = turn.src === 'tool';
      report(
        'info',
        'core/unreferenced-result',
        `/turns/${at}/observation/results/${index}`,
        `this observation names no call; it is shown as a ${isResult ? 'result of none' : 'user message'}`,
      );
      if (isResult) add(resultOf(undefined, undefined, result, content, isExact), result);
      else add({ role: 'user', content: messageContent(content ?? null) });
      return;
    }
    const answers = called.get(reference);
    if (answers !== undefined && answers.at !== at) return;
    answered.add(reference);
    add(resultOf(reference, answers?.call, result, content, isExact), result);
  });
  for (const call of calls) {
    if (call.result !== undefined && !answered.has(call.tcid))
      add(resultOf(call.tcid, call, {}, call.result, false), {});
  }
}

function resultsOf(observation: Json | undefined): readonly Json[] {
  if (observation === undefined) return [];
  const results = isJsonObject(observation) ? getOwn(observation, 'results') : undefined;
  return isJsonArray(results) ? results : [observation];
}

function referenceOf(result: Json): string | undefined {
  if (!isJsonObject(result)) return undefined;
  for (const key of ['source_call_id', 'tool_call_id', 'tool_use_id']) {
    const id = getOwn(result, key);
    // In the hub's own slot an empty text is an id; in a source's it says that there is none.
    if (typeof id === 'string' && (id !== '' || key === 'source_call_id')) return id;
  }
  return undefined;
}

const METADATA = ['status', 'exit_code', 'duration_ms', 'success'] as const;

function resultOf(
  reference: string | undefined,
  call: ToolCall | undefined,
  result: Json,
  content: Json | undefined,
  isExact: boolean,
): JsonObject {
  const own = objectOf(result) ?? {};
  const extra = objectOf(call?.extra) ?? {};
  const id = getOwn(own, 'id');
  const ownName = getOwn(own, 'name');
  const name = typeof ownName === 'string' ? ownName : call?.fn;
  const message: MutableJsonObject = {
    ...(typeof id === 'string' ? { id } : {}),
    role: 'tool',
    ...(reference === undefined ? {} : { tool_call_id: call === undefined ? reference : sourceIdOf(call) }),
    name: typeof name === 'string' ? name : 'unknown',
    content: messageText(content),
  };
  if (isExact) {
    addMissing(message, own);
    delete message.source_call_id;
    return message;
  }
  const ownNamespace = getOwn(own, 'namespace');
  const namespace = typeof ownNamespace === 'string' ? ownNamespace : getOwn(extra, 'namespace');
  if (typeof namespace === 'string') message.namespace = namespace;
  const given = objectOf(getOwn(own, 'metadata'));
  const metadata: MutableJsonObject = { ...given };
  for (const key of given === undefined ? METADATA : []) {
    const value =
      getOwn(own, key) ??
      getOwn((call?.response ?? {}) as JsonObject, key) ??
      (key === 'duration_ms' ? call?.duration_ms : undefined);
    if (value !== undefined) metadata[key] = value;
  }
  const mechanism = getOwn(extra, 'execution_mechanism');
  if (mechanism !== undefined && given === undefined) metadata.execution_mechanism = mechanism;
  if (given !== undefined || Object.keys(metadata).length > 0) message.metadata = metadata;
  return message;
}
