import { type Command, Option } from 'commander';

/** Which trajectories of a store are meant by their ids; several options narrow each other, repeated ones widen. */
export interface IdOptions {
  readonly run?: readonly string[];
  readonly session?: readonly string[];
  readonly document?: readonly string[];
  readonly attempt?: readonly string[];
}

/** Which trajectories of a store are meant, by ids and by a condition. */
export interface SelectOptions extends IdOptions {
  readonly where?: string;
}

/** Adds `--run`, `--session`, `--document`, `--attempt`. */
export function withIdOptions(command: Command): Command {
  return command
    .option('--run <id>', 'only this run (repeatable)', gather)
    .option('--session <id>', 'only this session (repeatable)', gather)
    .option('--document <id>', 'only this document id or key (repeatable)', gather)
    .option('--attempt <id>', 'only this attempt (repeatable)', gather);
}

/** Adds the same, and `--where`. */
export function withSelectOptions(command: Command): Command {
  return withIdOptions(command).option(
    '--where <condition>',
    'only where this SQL condition over the columns of runs holds',
  );
}

/** `--as-of VERSION|TIME|TAG`. */
export function asOfOption(): Option {
  return new Option(
    '--as-of <moment>',
    'the store as it was: a version number, a time (2026-08-01T12:00:00Z, 2026-08-01, or 3d for three days ago) or a tag',
  );
}

/** `--skip-damaged`. */
export function skipDamagedOption(): Option {
  return new Option(
    '--skip-damaged',
    'leave out, and name, the trajectories that damaged files hit (exit 4), instead of failing; reads everything first',
  );
}

/** Adds a value to those of a repeatable option. */
export function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
