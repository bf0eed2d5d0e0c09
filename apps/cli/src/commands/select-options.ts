import type { Command } from 'commander';

/** Which trajectories of a store are meant; several options narrow each other, repeated ones widen. */
export interface SelectOptions {
  readonly run?: readonly string[];
  readonly session?: readonly string[];
  readonly document?: readonly string[];
  readonly attempt?: readonly string[];
}

/** Adds `--run`, `--session`, `--document`, `--attempt`. */
export function withSelectOptions(command: Command): Command {
  return command
    .option('--run <id>', 'only this run (repeatable)', gather)
    .option('--session <id>', 'only this session (repeatable)', gather)
    .option('--document <id>', 'only this document id or key (repeatable)', gather)
    .option('--attempt <id>', 'only this attempt (repeatable)', gather);
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
