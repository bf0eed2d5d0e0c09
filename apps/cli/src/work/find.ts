import type { FoundText, RunFilter } from '@pchronicle/store-lance';
import type { FindCommandOptions } from '../commands/find.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { readTime } from '../store/read-time.ts';
import { withReads } from '../store/reads.ts';
import { selectionOf } from '../store/select.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Searches the store and shows the best matches first, each with the text around it. */
export async function find(text: string, options: FindCommandOptions, context: Context): Promise<void> {
  const since = sinceOf(options);
  const { signal } = context.interrupt;
  await withReads(options, context, async (reads) => {
    const filter: RunFilter = { ...(await selectionOf(reads, options, context)), ...since };
    const waiting = announceLater(context);
    const matches = await reads
      .find(text, {
        limit: options.limit,
        words: options.any === true ? 'any' : 'all',
        signal,
        ...(Object.keys(filter).length === 0 ? {} : { filter }),
        ...(options.tool === undefined ? {} : { tool: options.tool }),
        ...(options.src === undefined ? {} : { source: options.src }),
      })
      .finally(() => clearTimeout(waiting));
    context.interrupt.check();
    if (options.jsonl === true) {
      for (const match of matches) await context.stdout.writeJson(`${matchJson(match)}\n`);
    } else if (options.json === true) {
      const all = matches.map(matchJson).join(',');
      await context.stdout.writeJson(`{"query":${JSON.stringify(text)},"matches":[${all}]}\n`);
    } else {
      for (const match of matches) await context.stdout.write(matchLines(match, context));
      const full = matches.length === options.limit ? ', the best; --limit shows more' : '';
      context.notes.say(
        matches.length === 0 ? 'nothing found' : `${countOf(matches.length, 'match', 'matches')}${full}`,
      );
    }
  });
}

function sinceOf(options: FindCommandOptions): Pick<RunFilter, 'since'> {
  if (options.since === undefined) return {};
  const since = readTime(options.since);
  if (since === undefined) {
    throw usageFailure(
      'cli/bad-time',
      `--since ${JSON.stringify(options.since)} is no time`,
      'write 2026-08-01, 2026-08-01T12:00:00Z, or 7d for the last seven days',
    );
  }
  return { since };
}

// The first search of a big store takes its time.
function announceLater({ notes }: Context): NodeJS.Timeout | undefined {
  if (!notes.isTerminal) return undefined;
  return setTimeout(
    () => notes.say('searching (the first search of a store builds its text index) …'),
    1_000,
  );
}

function matchLines(match: FoundText, { style }: Context): string {
  const turn = `turn ${(match.turn ?? 0) + 1}`;
  const what = {
    story: 'prompts and outcome',
    turn: `${turn} · ${match.source}`,
    call: `${turn} · ${match.tool} ${match.callId}`,
  }[match.kind];
  return `${match.documentKey.slice(0, 8)}  ${style.strong(safeLine(match.documentId))}  ${style.faint(safeLine(what))}\n  ${highlighted(match, style.warning)}\n`;
}

// Cut at the matches first, made safe afterwards: an escape is longer than what it stands for.
function highlighted({ snippet: { text, matches } }: FoundText, mark: (text: string) => string): string {
  let shown = '';
  let end = 0;
  const plain = (piece: string): string => safeLine(piece.replace(/ {2,}/g, ' '));
  for (const [from, to] of matches) {
    shown += plain(text.slice(end, from)) + mark(safeLine(text.slice(from, to)));
    end = to;
  }
  return (shown + plain(text.slice(end))).trimEnd();
}

function matchJson(match: FoundText): string {
  const { kind, documentKey, documentId, run, session, turn, turnId, source, tool, callId } = match;
  const text = (value: string | undefined): string => JSON.stringify(value ?? null);
  const members = [
    `"document_key":${text(documentKey)}`,
    `"document_id":${text(documentId)}`,
    `"run":${text(run)}`,
    `"session":${text(session)}`,
    `"kind":${text(kind)}`,
    `"turn":${turn === undefined ? null : turn + 1}`,
    `"turn_id":${turnId ?? null}`,
    `"src":${text(source)}`,
    `"tool":${text(tool)}`,
    `"tool_call_id":${text(callId)}`,
    `"score":${match.score}`,
    `"snippet":${text(match.snippet.text)}`,
    `"matches":${JSON.stringify(match.snippet.matches)}`,
  ];
  return safeJson(`{${members.join(',')}}`);
}
