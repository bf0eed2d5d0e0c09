import {
  type Env,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
  type StorylineHead,
  type Turn,
} from '@pchronicle/storyline-core';
import { checkTime } from './check-shape.ts';
import { isFilled } from './emptiness.ts';
import type { Leftovers } from './leftovers.ts';
import { type Keep, keepRest } from './openclaw-content.ts';
import type { EventMessage } from './openclaw-results.ts';
import { readMessages } from './openclaw-turns.ts';

/** What an event array adds to the head that its attempt gave. */
export interface EventStory extends Pick<StorylineHead, 'agent' | 'started_at' | 'finished_at'> {
  readonly task?: NonNullable<StorylineHead['task']>;
  readonly turns: readonly Turn[];
}

/**
 * Reads the event array of a failed OpenClaw run (RFC-0004, validation; decision A12): messages become turns, tool results are
 * folded into the call they answer, session and model_change describe the run; all else goes to the source `openclaw`.
 */
export function readEvents(
  events: readonly Json[],
  pointer: string,
  head: StorylineHead,
  leftovers: Leftovers,
  report: Report,
): EventStory {
  const keep = leftovers.keepEvent;
  const messages = messagesOf(events, pointer);
  const { env, model } = readFacts(events, new Set(messages.map((message) => message.index)), pointer, keep);
  // A bad timestamp may be that of a turn and of the whole run: it is told once.
  const told = new Set<string>();
  const once: Report = (severity, code, at, text) => {
    if (!told.has(at)) report(severity, code, at, text);
    told.add(at);
  };
  const { turns, folded } = readMessages(messages, keep, once);
  const others = events.length - turns.length - folded;
  report(
    'info',
    'actf/openclaw-events',
    pointer,
    `the trajectory is an array of ${events.length} OpenClaw events: ${turns.length} turns, ${folded} tool results folded into their calls, ${others} others kept aside`,
  );
  return {
    ...readSpan(events, pointer, once),
    agent: model === undefined ? head.agent : { ...head.agent, model },
    ...(head.task && env ? { task: { env, ...head.task } } : {}),
    turns,
  };
}

/** The user, assistant and toolResult messages, numbered from 1. */
function messagesOf(events: readonly Json[], pointer: string): readonly EventMessage[] {
  const messages: EventMessage[] = [];
  events.forEach((event, index) => {
    const message =
      isJsonObject(event) && getOwn(event, 'type') === 'message' ? getOwn(event, 'message') : undefined;
    const role = isJsonObject(message) ? getOwn(message, 'role') : undefined;
    if (role !== 'user' && role !== 'assistant' && role !== 'toolResult') return;
    messages.push({
      index,
      id: messages.length + 1,
      role,
      event: event as JsonObject,
      message: message as JsonObject,
      at: `${pointer}/${index}`,
    });
  });
  return messages;
}

interface Facts {
  readonly env?: Env;
  readonly model?: string;
}

/** What the last session and the last model_change say; every other event without a turn is kept as it is. */
function readFacts(
  events: readonly Json[],
  messages: ReadonlySet<number>,
  pointer: string,
  keep: Keep,
): Facts {
  const session = lastOf(events, 'session', (event) => envOf(event) !== undefined);
  const change = lastOf(events, 'model_change', (event) => isFilled(event.modelId));
  const env = session < 0 ? undefined : envOf(events[session] as JsonObject);
  const used = [...(env?.id === undefined ? [] : ['id']), ...(env?.state === undefined ? [] : ['cwd'])];
  events.forEach((event, index) => {
    const at = `${pointer}/${index}`;
    if (messages.has(index)) return;
    if (index === session) keepRest(event as JsonObject, used, at, keep);
    else if (index === change) keepRest(event as JsonObject, ['modelId'], at, keep);
    else keep(at, event);
  });
  return {
    ...(env === undefined ? {} : { env }),
    ...(change < 0 ? {} : { model: (events[change] as JsonObject).modelId as string }),
  };
}

/** The environment that a session event names; `undefined` when it names none. */
function envOf({ id, cwd }: JsonObject): Env | undefined {
  if (!isFilled(id) && typeof cwd !== 'string') return undefined;
  return { ...(isFilled(id) ? { id } : {}), ...(typeof cwd === 'string' ? { state: { cwd } } : {}) };
}

function lastOf(events: readonly Json[], type: string, accepts: (event: JsonObject) => boolean): number {
  return events.findLastIndex(
    (event) => isJsonObject(event) && getOwn(event, 'type') === type && accepts(event),
  );
}

/** The first and last timestamp of all events. */
function readSpan(
  events: readonly Json[],
  pointer: string,
  report: Report,
): Pick<StorylineHead, 'started_at' | 'finished_at'> {
  const timed = (event: Json): boolean =>
    isJsonObject(event) && typeof getOwn(event, 'timestamp') === 'string';
  const first = events.findIndex(timed);
  if (first < 0) return {};
  const last = events.findLastIndex(timed);
  const [started, finished] = [first, last].map((index) => (events[index] as JsonObject).timestamp as string);
  for (const index of new Set([first, last])) {
    checkTime(
      (events[index] as JsonObject).timestamp as string,
      'timestamp',
      `${pointer}/${index}/timestamp`,
      report,
    );
  }
  return { started_at: started ?? '', finished_at: finished ?? '' };
}
