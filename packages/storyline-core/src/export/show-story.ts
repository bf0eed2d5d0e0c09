import type { DrivenFormat } from '../format.ts';
import type { Report } from '../issue.ts';
import type { Json } from '../json/value.ts';
import type { Storyline, Turn } from '../storyline.ts';
import { roundsOf } from './join-rounds.ts';
import { leafStory } from './leaf-story.ts';
import { missingFrom } from './missing.ts';
import { type Patterned, tellByKind } from './tell-by-kind.ts';

/** What a format is given of a Storyline, and its way to report about that: pointers to turns lead into the Storyline itself. */
export interface ShownStory {
  readonly shown: Storyline;
  readonly report: Report;
}

/** Shows a format what it can hold: all of a Storyline, or one branch (decision K5), in turns or in rounds. */
export function showStory(format: DrivenFormat, storyline: Storyline, report: Report): ShownStory {
  const leaf = format.branches === true ? storyline : leafStory(storyline, report);
  const rounds = format.rounds === true ? roundsOf(leaf) : [];
  const isJoined = rounds.length > 0 && rounds.length < leaf.turns.length;
  if (!isJoined && leaf === storyline) return { shown: storyline, report };
  const placeOf = new Map(storyline.turns.map((turn, index) => [turn, index]));
  if (!isJoined) return { shown: leaf, report: moved(report, leaf.turns, placeOf) };
  tellByKind(leftOut(rounds, placeOf), (pointer, subject) => {
    const message = `${subject} is not written: what a model puts out in one round is one message, which has that of its first turn`;
    report('loss', 'core/round-joined', pointer, message);
  });
  const firsts = rounds.map(({ turns }) => turns[0] as Turn);
  return {
    shown: { ...leaf, turns: rounds.map(({ turn }) => turn) },
    report: moved(report, firsts, placeOf),
  };
}

/** What the later turns of rounds hold besides texts, calls and results. */
function* leftOut(
  rounds: ReturnType<typeof roundsOf>,
  placeOf: ReadonlyMap<Turn, number>,
): Generator<Patterned> {
  for (const { turn, turns } of rounds) {
    for (const later of turns.slice(1)) {
      const { msg: _, reason: __, tool_calls: ___, ...rest } = later;
      const place = { pointer: `/turns/${placeOf.get(later)}`, pattern: '/turns/*' };
      yield* missingFrom(rest as unknown as Json, turn as unknown as Json, place);
    }
  }
}

/** A report about turns that stand at other places in the Storyline itself. */
function moved(report: Report, turns: readonly Turn[], placeOf: ReadonlyMap<Turn, number>): Report {
  return (severity, code, pointer, message) => {
    const to = pointer.replace(
      /^\/turns\/(\d+)/,
      (_, index) => `/turns/${placeOf.get(turns[index] as Turn)}`,
    );
    report(severity, code, to, message.replace(pointer, to));
  };
}
