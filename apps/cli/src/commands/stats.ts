import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../suggest.ts';
import { define, jsonOption, type Start, storeOption } from './define.ts';
import { parseCount } from './parse.ts';
import { asOfOption, type SelectOptions, skipDamagedOption, withSelectOptions } from './select-options.ts';

/** The summaries of `stats`. */
export type Summary = 'overview' | 'tools' | 'models' | 'outcomes';

/** Their names. */
export const SUMMARIES: readonly Summary[] = ['overview', 'tools', 'models', 'outcomes'];

/** Which attempts of a task `stats outcomes` counts together. */
export type Group = 'model' | 'agent' | 'source' | 'none';

/** The values of `--by`. */
export const GROUPS: readonly Group[] = ['model', 'agent', 'source', 'none'];

/** Options of `stats`. */
export interface StatsCommandOptions extends SelectOptions {
  readonly store: string;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly by?: Group;
  readonly limit: number;
  readonly json?: boolean;
}

function parseSummary(text: string): Summary {
  const found = SUMMARIES.find((summary) => summary === text);
  if (found !== undefined) return found;
  const near = didYouMean(text, SUMMARIES);
  throw new InvalidArgumentError(
    `Allowed choices are ${SUMMARIES.join(', ')}.${near === undefined ? '' : ` (${near})`}`,
  );
}

/** `pchronicle stats`. */
export function statsCommand(start: Start): Command {
  const command = define('stats', 'the summaries people ask for first', [
    'stats',
    'stats tools',
    'stats models --run nightly-7',
    'stats outcomes --json',
    'stats outcomes --by source',
    'stats outcomes --where "agent_model_name = \'m-2\'"',
  ])
    .addArgument(
      new Argument(
        '[summary]',
        'overview; tools: calls, failures, durations; models: tokens, latency; outcomes',
      )
        .choices(SUMMARIES)
        .argParser(parseSummary)
        .default('overview'),
    )
    .addOption(storeOption());
  return withSelectOptions(command)
    .addOption(asOfOption())
    .addOption(skipDamagedOption())
    .addOption(
      new Option(
        '--by <what>',
        'outcomes: whose attempts of a task count together, those of one model (default), agent or source, or all (none)',
      ).choices(GROUPS),
    )
    .addOption(
      new Option('-n, --limit <rows>', 'show at most that many rows of a table')
        .argParser(parseCount)
        .default(50),
    )
    .addOption(jsonOption('print {"summary","rows":[…]}, all rows'))
    .action((summary: Summary, options: StatsCommandOptions, self: Command) =>
      start(self, async (context) => (await import('../work/stats.ts')).stats(summary, options, context)),
    );
}
