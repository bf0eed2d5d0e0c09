import type { CompletionCommand, CompletionOption } from './describe.ts';

/** A completion script for fish. */
export function fishScript(commands: readonly CompletionCommand[]): string {
  const lines = ['# fish completion for pchronicle', 'complete -c pchronicle -f'];
  for (const command of commands) {
    const condition = conditionOf(command);
    for (const { name, description } of command.children) {
      lines.push(`complete -c pchronicle -n ${quote(condition)} -a ${name} -d ${quote(description)}`);
    }
    if (command.choices.length > 0) {
      lines.push(`complete -c pchronicle -n ${quote(condition)} -a ${quote(command.choices.join(' '))}`);
    }
    if (command.takesFiles) lines.push(`complete -c pchronicle -n ${quote(condition)} -F`);
    for (const option of command.options) lines.push(fishOption(condition, option));
  }
  return `${lines.join('\n')}\n`;
}

function conditionOf({ path, children }: CompletionCommand): string {
  const words = path.split(' ').filter((word) => word !== '');
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  if (children.length > 0) {
    seen.push(`not __fish_seen_subcommand_from ${children.map(({ name }) => name).join(' ')}`);
  }
  return seen.join('; and ');
}

function fishOption(condition: string, option: CompletionOption): string {
  const parts = ['complete -c pchronicle', `-n ${quote(condition)}`];
  if (option.short !== undefined) parts.push(`-s ${option.short.replace(/^-+/, '')}`);
  if (option.long !== undefined) parts.push(`-l ${option.long.replace(/^-+/, '')}`);
  if (option.takesValue)
    parts.push(option.values.length > 0 ? `-xa ${quote(option.values.join(' '))}` : '-rF');
  parts.push(`-d ${quote(option.description)}`);
  return parts.join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
