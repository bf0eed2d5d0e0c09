/** The exit codes of every command (docs/cli.md). */
export const EXIT = {
  done: 0,
  findings: 1,
  usage: 2,
  input: 3,
  store: 4,
  internal: 5,
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const ORDER: readonly ExitCode[] = [130, 5, 4, 3, 2, 1, 0];

/** Of several exit codes the one that is reported: the first that applies of 130, 5, 4, 3, 1 (decisions, "Detection and CLI"). */
export function worstExit(left: ExitCode, right: ExitCode): ExitCode {
  return ORDER.indexOf(left) <= ORDER.indexOf(right) ? left : right;
}
