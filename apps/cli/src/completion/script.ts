import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { describeProgram } from './describe.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** Shells that a completion script can be written for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** The completion script of a program for one shell. */
export function completionScript(shell: Shell, program: Command): string {
  const commands = describeProgram(program);
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
  }
}
