import { Command, type Help, type Option } from 'commander';
import type { Start } from './commands/define.ts';
import { COMMANDS } from './commands/table.ts';
import { safeText } from './terminal/safe.ts';
import { createStyle, wantsColor } from './terminal/style.ts';
import { version } from './version.ts';

/** The whole program from the command table; nothing is loaded but commander until a command runs. */
export function createProgram(start: Start): Command {
  const program = new Command('pchronicle')
    .description('Convert, store, query and compare agent trajectories. Nothing lost, nothing invented.')
    .version(version(), '-V, --version', 'print the version')
    .option('-q, --quiet', 'say nothing but errors')
    .option('--no-color', 'no colours (also NO_COLOR=1)')
    .addHelpText(
      'before',
      [
        'Examples:',
        '  $ pchronicle import trajectories.json      # into ./trajectories',
        '  $ pchronicle ls',
        '  $ pchronicle show my-task --turns 1-5',
        '  $ pchronicle export --to actf -o out.actf.json',
        '  $ pchronicle convert run.json --to storyline | jq .',
        '',
      ].join('\n'),
    )
    .addHelpText('after', '\nMore: pchronicle COMMAND --help');
  for (const { heading, commands } of COMMANDS) {
    for (const make of commands) program.addCommand(make(start).helpGroup(heading));
  }
  program.helpCommand('help [command]', 'show the help of a command');
  for (const command of everyCommand(program)) configure(command);
  return program;
}

/** A command and all below it. */
export function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

function configure(command: Command): void {
  const style = createStyle(wantsColor(process.stderr, !process.argv.includes('--no-color')));
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({
      // What was typed may have come from a file name: it is quoted, not obeyed.
      outputError: (text, write) => write(safeText(text).replace(/^error:/, `${style.error('error')}:`)),
    })
    .showHelpAfterError(`(try: ${pathOf(command)} --help${afterDashes(command)})`);
}

/** How a word that looks like an option is given to a command that takes any words. */
function afterDashes(command: Command): string {
  const takesWords = command.registeredArguments.some((argument) => WORDS.includes(argument.name()));
  return takesWords ? '; words that begin with a dash go behind --' : '';
}

const WORDS = ['text', 'sql'];

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function describeOption(this: Help, option: Option): string {
  const extra: string[] = [];
  if (option.argChoices !== undefined) extra.push(option.argChoices.join(', '));
  if (option.defaultValue !== undefined && !option.negate)
    extra.push(`default: ${option.defaultValueDescription ?? String(option.defaultValue)}`);
  if (option.envVar !== undefined) extra.push(`env: ${option.envVar}`);
  return extra.length === 0 ? option.description : `${option.description} (${extra.join('; ')})`;
}
