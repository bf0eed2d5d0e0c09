import { type Command, Option } from 'commander';
import { define, formatOption, type Start, storeOption } from './define.ts';
import { parseCount, parseDuration, parseMemory } from './parse.ts';
import { asOfOption, type IdOptions, skipDamagedOption, withIdOptions } from './select-options.ts';
import { withSqlArgument } from './sql-argument.ts';

/** How a result is written. */
export type ResultFormat = 'table' | 'json' | 'jsonl' | 'csv' | 'parquet';

/** The values of `query --format`. */
export const RESULT_FORMATS: readonly ResultFormat[] = ['table', 'json', 'jsonl', 'csv', 'parquet'];

/** Options of `query`. */
export interface QueryCommandOptions extends IdOptions {
  readonly store: string;
  /** Whether the command line names the store, not the environment. */
  readonly storeNamed?: boolean;
  readonly format?: ResultFormat;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly output?: string;
  readonly overwrite?: boolean;
  readonly from?: readonly string[];
  readonly fromFormat?: string;
  readonly base?: string;
  readonly allowNan?: boolean;
  readonly salvage?: boolean;
  readonly compat?: boolean;
  readonly asOf?: string;
  readonly skipDamaged?: boolean;
  readonly limit?: number;
  readonly timeout?: number;
  readonly memory: string;
}

/** `pchronicle query`. */
export function queryCommand(start: Start): Command {
  const command = define('query', 'read-only SQL over runs, steps and tool_calls', [
    'query "SELECT function_name, count(*) FROM tool_calls GROUP BY ALL ORDER BY 2 DESC"',
    'query "SELECT document_id, score FROM runs WHERE NOT correct" --format csv -o failed.csv',
    'query "SELECT count(*) FROM steps" --from logs/ --from more.jsonl',
    'query "DESCRIBE runs"',
    'query - < question.sql',
  ])
    .argument('<sql>', 'one statement that reads (SELECT, DESCRIBE, SUMMARIZE, EXPLAIN); - is standard input')
    .addOption(storeOption());
  return withIdOptions(withSqlArgument(command))
    .addOption(
      new Option(
        '--format <format>',
        'how the result is written (default: by the ending of -o, else table)',
      ).choices(RESULT_FORMATS),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts(['format', 'jsonl']))
    .addOption(new Option('--jsonl', 'the same as --format jsonl').conflicts('format'))
    .option('-o, --output <file>', 'file to write; default: standard output')
    .option('--overwrite', 'replace the output file if it exists')
    .option('-n, --limit <rows>', 'at most that many rows (default for tables: 1000)', parseCount)
    .option('--timeout <time>', 'stop after that long: 30s, 5m', parseDuration)
    .addOption(
      new Option('--memory <size>', 'memory the query may use before it spills to disk')
        .argParser(parseMemory)
        .default('1GB'),
    )
    .addOption(asOfOption())
    .addOption(skipDamagedOption().conflicts('from'))
    .option('--from <inputs...>', 'ask these files, folders or globs instead of a store')
    .addOption(formatOption('--from-format <format>', 'read the files of --from as this format'))
    .option('--base <folder>', 'with --from: folder that document names are relative to')
    .option('--allow-nan', 'with --from: read NaN and Infinity as null')
    .option('--salvage', 'with --from: keep the good records of a bad document')
    .option('--compat', 'with --from: read as the tool of the format does (Forkline), faults included')
    .action((sql: string, options: QueryCommandOptions, self: Command) =>
      start(self, async (context) => {
        const storeNamed = self.getOptionValueSource('store') === 'cli';
        await (await import('../work/query.ts')).query(sql, { ...options, storeNamed }, context);
      }),
    );
}
