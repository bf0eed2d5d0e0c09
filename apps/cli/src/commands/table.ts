import { checkCommand } from './check.ts';
import { completionCommand } from './completion.ts';
import { convertCommand } from './convert.ts';
import type { MakeCommand } from './define.ts';
import { detectCommand } from './detect.ts';
import { diffCommand } from './diff.ts';
import { exportCommand } from './export.ts';
import { findCommand } from './find.ts';
import { formatsCommand } from './formats.ts';
import { importCommand } from './import.ts';
import { lsCommand } from './ls.ts';
import { projectCommand } from './project.ts';
import { queryCommand } from './query.ts';
import { showCommand } from './show.ts';
import { statsCommand } from './stats.ts';
import { storeCommand } from './store.ts';
import { validateCommand } from './validate.ts';

/** A group of commands under one heading of `--help`. */
export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly MakeCommand[];
}

/** Every command, in the order of `--help`. A new command is a file in commands/ (what it takes) and one in work/ (what it does), and a line here. */
export const COMMANDS: readonly CommandGroup[] = [
  { heading: 'Files:', commands: [detectCommand, validateCommand, convertCommand, formatsCommand] },
  { heading: 'Store:', commands: [importCommand, exportCommand, lsCommand, showCommand, storeCommand] },
  { heading: 'Questions:', commands: [queryCommand, findCommand, statsCommand] },
  { heading: 'Compare:', commands: [diffCommand, checkCommand, projectCommand] },
  { heading: 'Shell:', commands: [completionCommand] },
];
