import type { Report } from '@pchronicle/storyline-core';
import { bindText } from './bind-text.ts';
import type { Cell, Database } from './engine.ts';
import { idGiver } from './give-ids.ts';
import type { EventCells, RunCells } from './run-to-rows.ts';

const RUN_COLUMNS = {
  recorder: [
    'run_id',
    'schema_version',
    'forkline_version',
    'entrypoint',
    'started_at',
    'ended_at',
    'status',
    'python_version',
    'platform',
    'cwd',
  ],
  tracer: ['run_id', 'created_at', 'forkline_version', 'schema_version'],
} as const;

/** Writes runs into the tables of one layout; ids that are taken already are replaced by the next free ones. */
export function tableWriter(database: Database, model: 'recorder' | 'tracer', report: Report) {
  const columns = RUN_COLUMNS[model];
  // Texts may arrive as bytes, because the engines stop at U+0000; the cast makes texts of them again.
  const texts = (count: number): string => Array.from({ length: count }, () => 'CAST(? AS TEXT)').join(', ');
  const run = database.prepare(`INSERT INTO runs (${columns.join(', ')}) VALUES (${texts(columns.length)})`);
  const event = database.prepare(
    model === 'recorder'
      ? `INSERT INTO events (event_id, run_id, ts, type, payload) VALUES (?, ${texts(4)})`
      : `INSERT INTO events (event_id, run_id, created_at, type, payload_json, step_idx) VALUES (?, ${texts(4)}, ?)`,
  );
  const step =
    model === 'tracer'
      ? database.prepare(
          `INSERT INTO steps (step_id, run_id, idx, name, started_at, ended_at) VALUES (?, CAST(? AS TEXT), ?, ${texts(3)})`,
        )
      : undefined;
  const eventIds = idGiver();
  const stepIds = idGiver();
  const runIds = new Set<string>();
  return {
    write(rows: RunCells): void {
      const runId = rows.run.run_id ?? '';
      if (!rows.orphaned && runIds.has(runId)) {
        const message = `two runs have the id ${JSON.stringify(runId)}; a database holds each id once`;
        report('error', 'forkline/repeated-run-id', '/run_id', message);
        return;
      }
      const bind = (text: string | null): Cell => bindText(text, report);
      if (!rows.orphaned) {
        runIds.add(runId);
        run.run(columns.map((column) => bind(rows.run[column] ?? null)));
      }
      const steps = rows.steps.map(({ step_id }) =>
        typeof step_id === 'number' ? BigInt(step_id) : undefined,
      );
      for (const [index, id] of stepIds(steps).ids.entries()) {
        const row = rows.steps[index];
        if (row === undefined || step === undefined) continue;
        const { idx, name, started_at, ended_at } = row;
        step.run([
          id,
          bind(runId),
          cellOf(idx),
          bind(String(name)),
          bind(String(started_at ?? '')),
          bind(ended_at === null ? null : String(ended_at)),
        ]);
      }
      const given = eventIds(rows.events.map(({ id }) => id));
      if (given.renumbered) {
        const message = `event ids of the run ${JSON.stringify(runId)} are taken, repeated or no 64-bit integers; its events are numbered anew`;
        report('info', 'forkline/renumbered-events', '/events', message);
      }
      for (const [index, id] of given.ids.entries()) {
        const cells = rows.events[index] as EventCells;
        const values = [id, bind(cells.runId), bind(cells.ts), bind(cells.type), bind(cells.payload)];
        event.run(model === 'tracer' ? [...values, cells.stepIdx] : values);
      }
    },
    release(): void {
      for (const statement of [run, event, step]) statement?.release();
    },
  };
}

function cellOf(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : 0;
}
