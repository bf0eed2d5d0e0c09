/** The tables that Forkline 0.5 creates for the recorder (`runs.db`), as SQLite keeps their text. */
export const RECORDER_SCHEMA: readonly string[] = [
  `CREATE TABLE runs (
                    run_id TEXT PRIMARY KEY,
                    schema_version TEXT NOT NULL,
                    forkline_version TEXT NOT NULL,
                    entrypoint TEXT NOT NULL,
                    started_at TEXT NOT NULL,
                    ended_at TEXT,
                    status TEXT,
                    python_version TEXT NOT NULL,
                    platform TEXT NOT NULL,
                    cwd TEXT NOT NULL
                )`,
  `CREATE TABLE events (
                    event_id INTEGER PRIMARY KEY AUTOINCREMENT,
                    run_id TEXT NOT NULL,
                    ts TEXT NOT NULL,
                    type TEXT NOT NULL,
                    payload TEXT NOT NULL,
                    FOREIGN KEY (run_id) REFERENCES runs(run_id)
                )`,
  `CREATE INDEX idx_events_run_id 
                ON events(run_id, event_id)
                `,
];

/** The tables of the tracer (`forkline.db`). */
export const TRACER_SCHEMA: readonly string[] = [
  `CREATE TABLE runs (
                    run_id TEXT PRIMARY KEY,
                    created_at TEXT NOT NULL,
                    forkline_version TEXT,
                    schema_version TEXT
                )`,
  `CREATE TABLE steps (
                    step_id INTEGER PRIMARY KEY AUTOINCREMENT,
                    run_id TEXT NOT NULL,
                    idx INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    started_at TEXT NOT NULL,
                    ended_at TEXT
                )`,
  `CREATE TABLE events (
                    event_id INTEGER PRIMARY KEY AUTOINCREMENT,
                    run_id TEXT NOT NULL,
                    step_idx INTEGER NOT NULL,
                    type TEXT NOT NULL,
                    payload_json TEXT NOT NULL,
                    created_at TEXT NOT NULL
                )`,
];
