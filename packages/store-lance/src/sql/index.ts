export type { SqlCell, SqlColumn } from './messages.ts';
export { openSql, type QueryOptions, type SqlOptions, type SqlResult, type SqlSession } from './open-sql.ts';
export { SqlError, type SqlErrorCode, type SqlPosition } from './sql-error.ts';
export { runStats, STATS, type StatsName, type StatsQuery, type StatsResult } from './stats.ts';
