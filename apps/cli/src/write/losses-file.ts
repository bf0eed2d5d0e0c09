import type { Issue } from '@pchronicle/storyline-core';
import { fileTarget } from '../io/file-target.ts';
import { issueJson } from '../issues/json.ts';

/** The file of `--losses`: one issue a line; it exists, if only empty, once the command has done its work. */
export interface LossesFile {
  add(issue: Issue): Promise<void>;
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/** Opens the losses file, or one that goes nowhere when none was asked for. */
export async function lossesFile(path: string | undefined, overwrite: boolean): Promise<LossesFile> {
  if (path === undefined) return { add: async () => {}, commit: async () => {}, abort: async () => {} };
  const target = await fileTarget(path, { overwrite, shown: path });
  return {
    add: (issue) => target.write(`${issueJson(issue)}\n`),
    commit: () => target.commit(),
    abort: () => target.abort(),
  };
}
