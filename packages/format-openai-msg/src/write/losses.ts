import {
  collectIssues,
  equalJson,
  getOwn,
  getPointer,
  type Json,
  missingFrom,
  type Patterned,
  type Report,
  type Storyline,
  storylineToJson,
  type Turn,
  tellByKind,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { decodeSession } from '../read/decode.ts';
import { fingerprint } from '../read/fingerprint.ts';
import { toStorylines } from '../read/to-storylines.ts';
import { misplacedSeverity } from './residuals.ts';
import { sessionFields } from './row-fields.ts';
import { rowValue } from './rows.ts';
import type { PlannedSession } from './session.ts';

/** Members of a Storyline that are not compared: they are given, or travel by themselves; the turns are compared one by one. */
const APART = new Set(['schema_version', 'turns', 'origin', 'unknown_fields', 'unknown_key_counts']);

/**
 * Names what of a Storyline its rows do not give back (decision G14), by reading them again with the reader: no loss is missed and none
 * invented. One issue for each pointer with array positions as `*`; the rows are made one by one and share their messages.
 */
export function reportRowLosses(story: Storyline, planned: PlannedSession, report: Report): void {
  const reread = readAgain(story, planned, report);
  const lost: Patterned[] = [];
  const root = storylineToJson(story);
  const again = reread === undefined ? {} : storylineToJson(reread);
  for (const key of Object.keys(root)) {
    if (APART.has(key)) continue;
    const at = `/${key}`;
    lost.push(...missingFrom(root[key] as Json, getOwn(again, key), { pointer: at, pattern: at }));
  }
  if (story.origin !== undefined && story.origin.format !== SOURCE)
    lost.push({ pointer: '/origin', pattern: '/origin' });
  lost.push(...lostTurns(story.turns, reread?.turns ?? [], report));
  tellByKind(lost, (pointer, subject, pattern) => {
    report('loss', 'core/not-expressible', pointer, `${subject} does not come back: ${reasonOf(pattern)}`);
  });
}

function readAgain(story: Storyline, planned: PlannedSession, report: Report): Storyline | undefined {
  if (planned.rows.length === 0) return undefined;
  const fields = sessionFields(story, planned);
  const { report: inner, issues } = collectIssues();
  const faults: string[] = [];
  const part = decodeSession(
    {
      frame: { source: '', root: {} },
      source: '',
      key: story.session,
      at: { pointer: '' },
      *values() {
        for (const [index, row] of planned.rows.entries())
          yield {
            value: rowValue(story, planned, fields, row, (inside) =>
              faults.push(`${inside} of row ${index}`),
            ),
            index,
            at: { pointer: `/${index}` },
          };
      },
    },
    inner,
  );
  for (const fault of faults) {
    report(
      misplacedSeverity(story),
      'openai-msg/residual-collision',
      `/unknown_fields/sources/${SOURCE}`,
      `the residual at ${fault} has no place there: what should hold it is missing or no container`,
    );
  }
  const [reread] = part === undefined ? [] : toStorylines(part, inner);
  const fault = issues.find((issue) => issue.severity === 'error');
  if (fault === undefined) return reread;
  report(
    'error',
    'openai-msg/unreadable-row',
    '',
    `a row made of this Storyline could not be read again: ${fault.message} (${fault.code})`,
  );
  return undefined;
}

function lostTurns(turns: readonly Turn[], reread: readonly Turn[], report: Report): readonly Patterned[] {
  const inPlace =
    turns.length === reread.length && turns.every((turn, index) => turn.src === reread[index]?.src);
  const lost: Patterned[] = [];
  if (inPlace) {
    turns.forEach((turn, index) => {
      lost.push(
        ...missingFrom(asJson(turn), asJson(reread[index] as Turn), {
          pointer: `/turns/${index}`,
          pattern: '/turns/*',
        }),
      );
    });
    return lost;
  }
  // Rows repeat requests and turn prompts into messages: the turns are found again at other places.
  const find = turnFinder(reread);
  let next = 0;
  let moved = 0;
  turns.forEach((turn, index) => {
    const found = find(turn, next);
    if (found === undefined) {
      lost.push({ pointer: `/turns/${index}`, pattern: '/turns/*' });
      return;
    }
    next = found + 1;
    moved += 1;
    const { id: _, ...rest } = turn;
    const here = reread[index] === undefined ? {} : asJson(reread[index]);
    for (const part of missingFrom(rest as unknown as Json, asJson(reread[found] as Turn))) {
      const value = getPointer(asJson(turn), part.pointer) ?? null;
      // A place that by chance has the same value is none where a reader would miss it.
      if (equalJson(getPointer(here, part.pointer) ?? null, value) && value !== null) continue;
      lost.push({ pointer: `/turns/${index}${part.pointer}`, pattern: `/turns/*${part.pattern}` });
    }
  });
  if (turns.length > 0 || reread.length > 0) {
    report(
      'loss',
      'openai-msg/turns-rearranged',
      '/turns',
      `the ${turns.length} turns are read back as ${reread.length} (${moved} of them are there again, with new ids): rows hold a request and a response each, and have no place for other turns and prompts`,
    );
  }
  return lost;
}

/** Finds the first turn from a position on that says the same; positions asked for only grow. */
function turnFinder(turns: readonly Turn[]): (turn: Turn, from: number) => number | undefined {
  const bySaying = new Map<number, { readonly indexes: number[]; at: number }>();
  const keyOf = (turn: Turn): number => fingerprint([turn.src, turn.msg]);
  for (const [index, turn] of turns.entries()) {
    const key = keyOf(turn);
    const known = bySaying.get(key);
    if (known === undefined) bySaying.set(key, { indexes: [index], at: 0 });
    else known.indexes.push(index);
  }
  return (turn, from) => {
    const known = bySaying.get(keyOf(turn));
    if (known === undefined) return undefined;
    while (known.at < known.indexes.length && (known.indexes[known.at] as number) < from) known.at += 1;
    const found = known.indexes[known.at];
    return found !== undefined && isSame(turn, turns[found] as Turn) ? found : undefined;
  };
}

function isSame(turn: Turn, other: Turn): boolean {
  return turn.src === other.src && equalJson(turn.msg, other.msg);
}

function asJson(turn: Turn): { readonly [key: string]: Json } {
  return turn as unknown as { readonly [key: string]: Json };
}

function reasonOf(pattern: string): string {
  if (/\/prompt(\/|$)/.test(pattern))
    return 'prompts become system and user messages, and are read back as turns';
  if (pattern.startsWith('/turns/*/observation'))
    return 'results are read back on the turn of the row that brings them, by the id of their call';
  if (/^\/turns\/\*\/tool_calls\/\*\/result(\/|$)/.test(pattern))
    return 'a result is written as a tool message, and read back as an observation';
  if (pattern === '/turns/*/id') return 'turn ids are counted from the steps of the rows';
  return 'rows have no place for it';
}
