import type { Argument, Command, Option } from 'commander';
import { everyCommand } from '../program.ts';

/** An option as completion sees it. */
export interface CompletionOption {
  readonly short: string | undefined;
  readonly long: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  /** The values to offer; empty: files. */
  readonly values: readonly string[];
}

/** A command as completion sees it. */
export interface CompletionCommand {
  /** Words that lead to it: `store info`; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly children: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletionOption[];
  /** Fixed words its first argument may be. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
}

/** Takes the program apart for the completion scripts, so that they cannot disagree with what it really takes. */
export function describeProgram(program: Command): readonly CompletionCommand[] {
  const common = program.options.filter((option) => option.long !== '--version').map(describeOption);
  const help: CompletionOption = {
    short: '-h',
    long: '--help',
    description: 'show help',
    takesValue: false,
    values: [],
  };
  return [...everyCommand(program)].map((command) => {
    const first = command.registeredArguments[0];
    const own = command.options.filter((option) => !option.hidden).map(describeOption);
    return {
      path: pathOf(command),
      description: command.description(),
      children: command.commands.flatMap(describeChild),
      options: command === program ? [...own, help] : [...own, ...common, help],
      choices: first?.argChoices ?? [],
      takesFiles: first !== undefined && first.argChoices === undefined && takesFiles(first),
    };
  });
}

function describeChild(command: Command): { name: string; description: string }[] {
  return [command.name(), ...command.aliases()].map((name) => ({ name, description: command.description() }));
}

function takesFiles(argument: Argument): boolean {
  return /input|file|path/i.test(argument.name());
}

function describeOption(option: Option): CompletionOption {
  const suggestions = 'suggestions' in option ? (option.suggestions as readonly string[]) : undefined;
  return {
    short: option.short,
    long: option.long,
    description: option.description,
    takesValue: option.required || option.optional,
    values: option.argChoices ?? suggestions ?? [],
  };
}

function pathOf(command: Command): string {
  if (command.parent === null) return '';
  const above = pathOf(command.parent);
  return above === '' ? command.name() : `${above} ${command.name()}`;
}
