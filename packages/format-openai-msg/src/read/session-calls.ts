import { callIds, type Json, type JsonInteger, type Report, type ToolCall } from '@pchronicle/storyline-core';
import { MADE_ID } from '../message/content.ts';
import type { MessageView } from '../message/view.ts';
import type { NewResult, RowPart, SessionPart } from './part.ts';

/** Gives the calls of a session their ids, and its results those of the calls they answer (decisions G11, O1). */
export interface SessionCalls {
  /** The calls of a context message; `pointer` is that of the message in its row. */
  ofMessage(
    view: MessageView,
    ref: number,
    turn: JsonInteger,
    row: RowPart,
    pointer: string,
  ): readonly ToolCall[];
  /** The calls of a row's output: its structured ones, else those that its text spells. */
  ofOutput(row: RowPart, turn: JsonInteger): readonly ToolCall[];
  /** The id of the call that a result of the row whose output was asked for last answers. */
  answered(result: NewResult): string;
}

/** Starts giving ids. `leave` is told the ids of the source that are not the ones given, by their pointer in the row. */
export function sessionCalls(
  part: SessionPart,
  leave: (row: RowPart, pointer: string, value: Json) => void,
  report: Report,
): SessionCalls {
  const ids = callIds(reservedIds(part));
  /** Message → the ids of its calls. */
  const given = new Map<number, readonly string[]>();
  let own: readonly string[] = [];
  const ofMessage: SessionCalls['ofMessage'] = (view, ref, turn, row, pointer) => {
    const calls = view.calls.map(({ id, name, args }, index): ToolCall => {
      const tcid = ids.take(id, turn);
      if (tcid !== id) {
        const inside = `${pointer}/tool_calls/${view.positions?.[index] ?? index}/id`;
        leave(row, inside, id);
        const message = `the call id ${JSON.stringify(id)} is that of an earlier call; this one is called ${JSON.stringify(tcid)}`;
        report('info', 'openai-msg/reused-call-id', row.pointer + inside, message);
      }
      // What a text spells has such an id too, but never a kind.
      return { tcid, fn: name, args, ...(id.startsWith(MADE_ID) && { kind: 'function' }) };
    });
    own = calls.map(({ tcid }) => tcid);
    // An output that is a context message too is known by the calls of its context turn.
    if (!given.has(ref)) given.set(ref, own);
    return calls;
  };
  return {
    ofMessage,
    ofOutput(row, turn) {
      const { output, outputPointer, outputRef, spelled } = row;
      const calls = ofMessage(output, outputRef, turn, row, outputPointer);
      return calls.length > 0
        ? calls
        : spelled.map((call) => ({ ...call, tcid: ids.takeMade(call.tcid, turn) }));
    },
    answered({ answer, callId }) {
      const id = answer && ('own' in answer ? own[answer.own] : given.get(answer.ref)?.[answer.call]);
      return id ?? callId;
    },
  };
}

/** Every call id that the source has, of calls and of references to them: no id that is made up may take one (decision G11). */
function reservedIds({ context, rows }: SessionPart): ReadonlySet<string> {
  const views = [...context.map(({ view }) => view), ...rows.map(({ output }) => output)];
  const reserved = new Set(views.flatMap(({ calls }) => calls.map(({ id }) => id)));
  // A result behind a call in a text may answer that (decision O1).
  const before = new Set<string>();
  for (const { results, spelled } of rows) {
    for (const { callId } of results) if (!before.has(callId)) reserved.add(callId);
    for (const { tcid } of spelled) before.add(tcid);
  }
  return reserved;
}
