import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { StoreReads } from '@pchronicle/store-lance';
import type { QueryOptions, SqlSession } from '@pchronicle/store-lance/sql';
import type { QueryCommandOptions, ResultFormat } from '../commands/query.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { fileTarget } from '../io/file-target.ts';
import { refuseExisting } from '../io/settle-output.ts';
import { stdoutTarget } from '../io/stdout-target.ts';
import type { Target } from '../io/target.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { explainSql } from '../query/sql-failure.ts';
import { withSql } from '../query/with-sql.ts';
import {
  type WriteResult,
  writeCsv,
  writeJsonLines,
  writeJsonResult,
  writeTable,
} from '../query/write-result.ts';
import { withFiles } from '../store/from-files.ts';
import { withReads } from '../store/reads.ts';
import { filterOf } from '../store/select.ts';
import { countOf, formatCount } from '../terminal/numbers.ts';
import { safeLine, safeText } from '../terminal/safe.ts';

/** Rows of a table when `--limit` says nothing. */
const TABLE_ROWS = 1_000;

/** Runs one statement that reads, over a store or over files, and writes its result. */
export async function query(
  statement: string,
  options: QueryCommandOptions,
  context: Context,
): Promise<void> {
  const output = options.output === '-' ? undefined : options.output;
  const format = formatOf(options, output);
  if (output === '') throw usageFailure('cli/no-output', '-o needs the name of a file');
  const refuseOutput = async (): Promise<void> => {
    if (output !== undefined)
      await refuseExisting(output, { overwrite: options.overwrite === true, shown: output });
  };
  await refuseOutput();
  if (output === undefined && format === 'parquet' && context.stdout.isTerminal)
    throw usageFailure('cli/no-output', 'Parquet is not for a terminal', 'name a file with -o');
  if (options.from !== undefined && options.storeNamed === true) {
    throw usageFailure(
      'cli/no-store-of-files',
      '--from asks files, --store a store: leave one of the two out',
    );
  }
  if (options.from !== undefined && options.asOf !== undefined)
    throw usageFailure('cli/no-past', 'files have no past: --as-of is for stores');
  const sql = statement === '-' ? await text(process.stdin) : statement;
  if (sql.trim() === '') throw usageFailure('cli/no-statement', 'the statement is empty');
  const ask = (reads: StoreReads): Promise<void> => answer(sql, reads, { options, context, format, output });
  if (options.from === undefined) return await withReads(options, context, ask);
  const { fromFormat, base, allowNan, salvage, compat } = options;
  const readOptions = {
    ...(fromFormat === undefined ? {} : { format: fromFormat }),
    ...(base === undefined ? {} : { base }),
    ...(allowNan === undefined ? {} : { allowNan }),
    ...(salvage === undefined ? {} : { salvage }),
    ...(compat === undefined ? {} : { compat }),
  };
  await withFiles(options.from, readOptions, context, ask, refuseOutput);
}

interface Asked {
  readonly options: QueryCommandOptions;
  readonly context: Context;
  readonly format: ResultFormat;
  readonly output: string | undefined;
}

async function answer(sql: string, reads: StoreReads, asked: Asked): Promise<void> {
  const { options, context, format } = asked;
  const only = filterOf(options);
  const sqlOptions = { memory: options.memory, ...(Object.keys(only).length === 0 ? {} : { only }) };
  if (format !== 'parquet') {
    return await withSql(reads, sqlOptions, context, (session) =>
      explainSql(sql, context, () => writeRows(sql, session, format, asked)),
    );
  }
  const file = join(temporaryFolder(), 'result.parquet');
  const linesBefore = options.limit === undefined ? 0 : 1;
  await withSql(reads, { ...sqlOptions, writable: [file] }, context, (session) =>
    explainSql(sql, context, () => writeParquet(sql, session, file, asked), { linesBefore }),
  );
}

async function writeRows(
  sql: string,
  session: SqlSession,
  format: Exclude<ResultFormat, 'parquet'>,
  asked: Asked,
): Promise<void> {
  const { options, context, output } = asked;
  const maxRows = options.limit ?? (format === 'table' ? TABLE_ROWS : undefined);
  const result = await session.query(sql, {
    ...limitsOf(asked),
    ...(maxRows === undefined ? {} : { maxRows }),
  });
  const onTerminal = output === undefined && context.stdout.isTerminal;
  let rows = 0;
  await into(asked, async (target) => {
    rows = await WRITERS[format](result, target, context, onTerminal);
  });
  context.notes.say(rowsLine(rows, result.truncated(), asked));
}

// DuckDB writes Parquet into a private file, which then goes where it should.
async function writeParquet(sql: string, session: SqlSession, file: string, asked: Asked): Promise<void> {
  const { limit } = asked.options;
  const limited = limit === undefined ? sql : `FROM (\n${sql.replace(/[;\s]+$/, '')}\n) LIMIT ${limit}`;
  const rows = await session.copyTo(limited, file, 'parquet', limitsOf(asked));
  await into(asked, (target) => copyFile(file, target));
  asked.context.notes.say(rowsLine(rows, false, asked));
}

function limitsOf({ options, context }: Asked): QueryOptions {
  const { signal } = context.interrupt;
  return options.timeout === undefined ? { signal } : { signal, seconds: options.timeout };
}

const WRITERS: { readonly [format in Exclude<ResultFormat, 'parquet'>]: WriteResult } = {
  table: writeTable,
  json: writeJsonResult,
  jsonl: writeJsonLines,
  csv: writeCsv,
};

function formatOf(options: QueryCommandOptions, output: string | undefined): ResultFormat {
  if (options.format !== undefined) return options.format;
  if (options.json === true) return 'json';
  if (options.jsonl === true) return 'jsonl';
  const ending = /\.(json|jsonl|csv|parquet)$/i.exec(output ?? '')?.[1]?.toLowerCase();
  return ENDINGS.find((format) => format === ending) ?? 'table';
}

const ENDINGS: readonly ResultFormat[] = ['json', 'jsonl', 'csv', 'parquet'];

/** Writes into the file, which appears whole or not at all, or to stdout. */
async function into(
  { options, context, format, output }: Asked,
  write: (target: Target) => Promise<void>,
): Promise<void> {
  const target =
    output === undefined
      ? format === 'csv' && context.stdout.isTerminal
        ? shownTarget(context)
        : stdoutTarget(context.stdout)
      : await fileTarget(output, { overwrite: options.overwrite === true, shown: output });
  try {
    await write(target);
    await target.commit();
  } finally {
    await target.abort();
  }
}

// CSV has no escapes of its own: on a terminal control characters are made visible.
function shownTarget(context: Context): Target {
  return {
    write: (data) => context.stdout.write(typeof data === 'string' ? safeText(data) : data),
    commit: async () => {},
    abort: async () => {},
  };
}

async function copyFile(path: string, target: Target): Promise<void> {
  for await (const chunk of createReadStream(path)) await target.write(chunk as Uint8Array);
}

function rowsLine(rows: number, truncated: boolean, { output, options }: Asked): string {
  const where = output === undefined ? '' : ` in ${safeLine(output)}`;
  if (!truncated) return `${countOf(rows, 'row')}${where}`;
  const more = options.limit === undefined ? '; --limit shows more' : '';
  return `the first ${countOf(rows, 'row')}${where}, of more than ${formatCount(rows)}${more}`;
}
