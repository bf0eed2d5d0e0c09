import type { StatsName, StatsResult } from '@pchronicle/store-lance/sql';
import type { StatsCommandOptions, Summary } from '../commands/stats.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { rowJson } from '../query/cell.ts';
import { withSql } from '../query/with-sql.ts';
import { overviewText } from '../stats/overview.ts';
import { statsTable } from '../stats/table.ts';
import { withReads } from '../store/reads.ts';
import { selectionOf } from '../store/select.ts';

/** Shows a summary of the store as a table with small bars, or as JSON. */
export async function stats(summary: Summary, options: StatsCommandOptions, context: Context): Promise<void> {
  const { signal } = context.interrupt;
  const { by } = options;
  if (by !== undefined && summary !== 'outcomes')
    throw usageFailure('cli/not-grouped', `--by is for stats outcomes, not for ${summary}`);
  await withReads(options, context, async (reads) => {
    const only = await selectionOf(reads, options, context);
    const results = await withSql(
      reads,
      Object.keys(only).length === 0 ? {} : { only },
      context,
      async (session) => {
        const { runStats } = await import('@pchronicle/store-lance/sql');
        const found: [StatsName, StatsResult][] = [];
        for (const name of PARTS[summary])
          found.push([name, await runStats(session, name, { signal, ...(by === undefined ? {} : { by }) })]);
        return found;
      },
    ).catch((error: unknown) => {
      context.interrupt.check();
      throw error;
    });
    if (options.json === true) return await context.stdout.writeJson(`${asJson(summary, results)}\n`);
    const width = context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
    const texts = results.flatMap(([name, result]) => {
      if (name === 'overview') return [overviewText(result)];
      if (name === 'pass-at-k' && result.rows.length === 0) return [];
      return [statsTable(name, result, { width, style: context.style, limit: options.limit })];
    });
    await context.stdout.write(`${texts.join('\n\n')}\n`);
    for (const [, { rows, title }] of results) {
      if (rows.length > options.limit)
        context.notes.say(
          `${title.toLowerCase()}: the first ${options.limit} of ${rows.length}; --limit shows more`,
        );
    }
  });
}

const PARTS: { readonly [summary in Summary]: readonly StatsName[] } = {
  overview: ['overview'],
  tools: ['tools'],
  models: ['models'],
  outcomes: ['outcomes', 'pass-at-k'],
};

// {"summary","rows":[…]}, and for outcomes "pass_at_k":[…].
function asJson(summary: Summary, results: readonly (readonly [StatsName, StatsResult])[]): string {
  const members = results.map(([name, { columns, rows }]) => {
    const names = columns.map((column) => column.name);
    const key = name === 'pass-at-k' ? 'pass_at_k' : 'rows';
    return `"${key}":[${rows.map((row) => rowJson(names, row)).join(',')}]`;
  });
  return `{"summary":"${summary}",${members.join(',')}}`;
}
