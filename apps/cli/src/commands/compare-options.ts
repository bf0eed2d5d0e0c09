import type { EqualityProfile } from '@pchronicle/storyline-core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeOption, withReadOptions } from './define.ts';
import type { ReadOptions } from './read-options.ts';

// Named here so that `--help` does not load the core.
const PROFILES = ['typed', 'canon', 'python-eq'] as const satisfies readonly EqualityProfile[];

/** Options of the commands that compare. */
export interface CompareOptions extends ReadOptions {
  readonly store: string;
  readonly profile: EqualityProfile;
  readonly ignore?: readonly string[];
  readonly ignoreDefaults: boolean;
}

/** Adds what `diff` and `check` share: the store, how to read, when values are equal, what is left out. */
export function withCompareOptions(command: Command): Command {
  return withReadOptions(command.addOption(storeOption()))
    .addOption(
      new Option('--profile <profile>', 'when two values are equal').choices(PROFILES).default('typed'),
    )
    .option(
      '--ignore <pointer>',
      'leave this place of the Storyline out too; * stands for any position or key (repeatable)',
      collectPointer,
    )
    .option('--no-ignore-defaults', 'compare ids, times and durations too');
}

function collectPointer(text: string, before: readonly string[] | undefined): readonly string[] {
  if (text !== '' && !text.startsWith('/')) {
    throw new InvalidArgumentError('It must be an RFC 6901 pointer such as /turns/*/metrics.');
  }
  if (/~(?![01])/.test(text)) throw new InvalidArgumentError('~ must be written ~0, and / inside a key ~1.');
  return [...(before ?? []), text];
}
