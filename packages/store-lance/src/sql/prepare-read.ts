import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { findParameter } from './find-parameter.ts';
import type { FromWorker } from './messages.ts';
import { explained, onlyReads, WRITING } from './read-only.ts';

/** Why a statement is not run. */
type Refused = Extract<FromWorker, { type: 'failed' }>;

/** Prepares one statement that reads and needs no more values, or says why it is none. */
export async function prepareRead(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement | Refused> {
  const refused = (kind: string, message: string): Refused => ({ type: 'failed', kind, message });
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1)
    return refused('one-statement', `one statement is expected, there are ${statements.count}`);
  const prepared = await statements.prepare(0).catch((cause: unknown) => {
    // It would not be run if it were right.
    if (WRITING.test(sql)) return undefined;
    throw cause;
  });
  if (prepared === undefined) return refused('not-read-only', onlyReads('one that writes'));
  const type = await typeOf(connection, prepared, sql);
  if (type !== StatementType.SELECT)
    return refused('not-read-only', onlyReads(StatementType[type] ?? 'this'));
  if (prepared.parameterCount > 0) {
    const { name, offset } = findParameter(sql);
    const message = `the parameter ${name} has no value: write the value in its place`;
    return { ...refused('invalid input', message), ...(offset === undefined ? {} : { offset }) };
  }
  return prepared;
}

/** What a statement does, or what it explains: EXPLAIN ANALYZE does it. */
async function typeOf(
  connection: DuckDBConnection,
  prepared: DuckDBPreparedStatement,
  sql: string,
): Promise<StatementType> {
  if (prepared.statementType !== StatementType.EXPLAIN) return prepared.statementType;
  const inner = await connection.prepare(explained(sql));
  const { statementType } = inner;
  inner.destroySync();
  return statementType;
}
