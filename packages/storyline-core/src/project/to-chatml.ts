import type { Report } from '../issue.ts';
import { getOwn, type Json, type JsonObject } from '../json/value.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { chainStateOf, objectOf, RETAINED } from './chain-state.ts';
import type { Add, ChatmlProjection, MessageSource } from './chatml-document.ts';
import { repeatsRequest } from './repeats-request.ts';
import { showPrompts } from './show-prompts.ts';
import { type Called, showEarlierResults, showResults } from './show-results.ts';
import { showTurn } from './show-turn.ts';
import { callsBySource, sourceIdOf } from './source-call-id.ts';

/**
 * Projects turns of a Storyline to ChatML messages: prompts where they change, then each turn's own message with its calls, then the
 * results in their order. Nothing is dropped: what has no message of its own (a turn without message, calls and results) is reported.
 * Rows of OpenAI Messages say the request of a running agent loop again (decision O11): it is shown once, unless `everyTurn` asks for it.
 * The Storyline is not changed.
 */
export function toChatml(
  storyline: Storyline,
  report: Report,
  turns: readonly Turn[] = storyline.turns,
  everyTurn = false,
): ChatmlProjection {
  // What is ChatML already, other than stored rows, is shown as it is: nothing is added to it.
  const isChatml = storyline.origin?.format === 'ankole';
  const mayRepeat = !everyTurn && storyline.origin?.format === 'openai-msg';
  const messages: JsonObject[] = [];
  const sources: MessageSource[] = [];
  const shown = { system: '', user: '' };
  const called = new Map<string, Called>();
  const inView = new Set(turns);
  const hidden = callsBySource(storyline.turns.filter((turn) => !inView.has(turn)));
  // A result names its call as the source does, even where that is out of view.
  for (const [id, calls] of hidden)
    for (const call of calls) if (call.tcid !== id) called.set(call.tcid, { call, at: -1 });
  let asked: Json | undefined;
  turns.forEach((turn, at) => {
    const add: Add = (message, result) => {
      messages.push(message);
      sources.push(result === undefined ? { turn } : { turn, result });
      if (message.role === 'user') asked = message.content;
    };
    const before = messages.length;
    const isExact = isChatml && chainStateOf(turn) === undefined;
    showPrompts(storyline, turn, shown, add);
    showEarlierResults(turn, at, called, add, isExact);
    const isRepeated = mayRepeat && repeatsRequest(turns, at, asked);
    if (!isRepeated) showTurn(turn, add, isExact);
    for (const call of turn.tool_calls ?? []) {
      called.set(call.tcid, { call, at });
      // Turns behind a checkpoint answer the call of the row, which stands here as it was kept.
      if (turn.env?.event_type !== RETAINED) continue;
      for (const { tcid } of hidden.get(sourceIdOf(call)) ?? []) called.set(tcid, { call, at });
      hidden.delete(sourceIdOf(call));
    }
    showResults(turn, at, called, add, report, isExact);
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
  return { document: { format: 'ankole_chatml', version: 1, ...flags, messages }, sources };
}
