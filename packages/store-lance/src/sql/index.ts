export type { AttemptGroup } from './attempts.ts';
export type { SqlCell, SqlColumn } from './messages.ts';
export { openSql } from './open-sql.ts';
export type { QueryOptions, SqlOptions, SqlResult, SqlSession } from './session.ts';
export { SqlError, type SqlErrorCode, type SqlPosition } from './sql-error.ts';
export { runStats, STATS, type StatsName, type StatsQuery, type StatsResult } from './stats.ts';
