import type { Database } from './engine.ts';
import type { Tables } from './tables.ts';

const INDEX = 'pchronicle_events';

/** Makes the private copy fast to read: an index in the order that is asked for, where there is none, and one lock for all reads. */
export function prepareEvents(database: Database, tables: Tables): void {
  database.exec('PRAGMA journal_mode = OFF');
  database.exec('PRAGMA synchronous = OFF');
  createIndexes(database, tables);
  database.exec('BEGIN');
}

function createIndexes(database: Database, tables: Tables): void {
  if (tables.model === 'tracer') {
    database.exec(`CREATE INDEX IF NOT EXISTS ${INDEX} ON events(run_id, step_idx)`);
    if (tables.stepColumns.length > 0)
      database.exec('CREATE INDEX IF NOT EXISTS pchronicle_steps ON steps(run_id, idx)');
    return;
  }
  const indexed = [...database.iterate(`SELECT name FROM pragma_index_list('events')`)].length > 0;
  if (!indexed) database.exec(`CREATE INDEX ${INDEX} ON events(run_id)`);
}
