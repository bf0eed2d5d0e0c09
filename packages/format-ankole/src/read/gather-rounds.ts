import {
  appendPointer,
  compareText,
  equalJson,
  getOwn,
  type Json,
  parseTime,
  type Report,
} from '@pchronicle/storyline-core';
import { listOf, textOf } from '../members.ts';
import type { Tally } from '../tally.ts';
import { rowTime } from '../times.ts';
import { roundOfResponse, roundOfRow } from './check-round.ts';
import type { Part } from './parts.ts';
import type { Round } from './round.ts';

/** The rounds of all parts in (inserted_at, id) order, each once, and which of them each part holds. */
export function gatherRounds(
  parts: readonly Part[],
  report: Report,
  found: Tally,
): { readonly rounds: readonly Round[]; readonly positions: ReadonlyMap<Part, readonly number[]> } {
  const byId = new Map<string, Round>();
  const held = new Map<Part, string[]>();
  const add = (part: Part, round: Round | undefined): void => {
    if (round === undefined) return;
    const known = byId.get(round.id);
    byId.set(round.id, known === undefined ? round : chooseRound(known, round, found));
    const ids = held.get(part) ?? [];
    ids.push(round.id);
    held.set(part, ids);
  };
  for (const part of parts) {
    if (part.shape === 'row') add(part, roundOfRow(part.value, part.pointer, report));
    else if (part.shape === 'response') add(part, roundOfResponse(part.value, part.pointer, report));
    else if (part.shape === 'page') {
      const rows = getOwn(part.value, 'messages');
      const base = appendPointer(part.pointer, 'messages');
      held.set(part, []);
      listOf(rows).forEach((row, index) => {
        add(part, roundOfRow(row, appendPointer(base, index), report));
      });
    }
  }
  const rounds = [...byId.values()]
    .map((round) => ({ round, at: instantOf(round.time) }))
    .sort((left, right) => compareTimes(left, right) || compareText(left.round.id, right.round.id))
    .map(({ round }) => round);
  const order = new Map(rounds.map(({ id }, index) => [id, index]));
  const positions = new Map([...held].map(([part, ids]) => [part, ids.map((id) => order.get(id) as number)]));
  return { rounds, positions };
}

/** Which of two places of one row counts: the one that was updated last, else the first. */
function chooseRound(known: Round, again: Round, found: Tally): Round {
  const name = JSON.stringify(again.id.slice(0, 80));
  if (known.shape === again.shape && equalJson(known.value, again.value)) {
    const message = `the row ${name} stands here again; its first place counts`;
    found.add('info', 'ankole/repeated-row', again.pointer, message);
    return known;
  }
  const message = `the row ${name} stands here again and says something else; the one that was updated last counts`;
  found.add('warning', 'ankole/conflicting-rows', again.pointer, message);
  return compareText(updatedAt(again), updatedAt(known)) > 0 ? again : known;
}

function updatedAt({ value }: Round): string {
  return textOf(value, 'updated_at') ?? '';
}

interface Timed {
  readonly round: Round;
  readonly at: bigint | undefined;
}

function instantOf(time: Json): bigint | undefined {
  const parsed = parseTime(rowTime(time)?.text ?? time);
  return 'fault' in parsed ? undefined : parsed.nanoseconds;
}

/** Times by instant; what is no time stands in front, by its text. */
function compareTimes(left: Timed, right: Timed): number {
  if (left.at !== undefined && right.at !== undefined)
    return left.at < right.at ? -1 : left.at > right.at ? 1 : 0;
  if (left.at !== undefined) return 1;
  if (right.at !== undefined) return -1;
  return compareText(timeTextOf(left), timeTextOf(right));
}

function timeTextOf({ round: { time } }: Timed): string {
  return typeof time === 'string' ? time : '';
}
