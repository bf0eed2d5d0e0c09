import type { CompletionCommand, CompletionOption } from './describe.ts';

/** A completion script for zsh. */
export function zshScript(commands: readonly CompletionCommand[]): string {
  const lines = ['#compdef pchronicle', '# zsh completion for pchronicle', ''];
  for (const command of commands) lines.push(...zshFunction(command), '');
  lines.push(
    'if [ "$funcstack[1]" = "_pchronicle" ]; then',
    '  _pchronicle "$@"',
    'else',
    '  compdef _pchronicle pchronicle',
    'fi',
    '',
  );
  return lines.join('\n');
}

function zshFunction({ path, options, children, choices, takesFiles }: CompletionCommand): string[] {
  const specs = options.map(zshOption);
  if (children.length > 0) specs.push("'1: :->command'", "'*:: :->rest'");
  else if (choices.length > 0) specs.push(quote(`1: :(${choices.join(' ')})`));
  else if (takesFiles) specs.push("'*:file:_files'");
  const lines = [`${functionName(path)}() {`];
  if (children.length > 0) lines.push('  local context state line', '  typeset -A opt_args');
  lines.push(`  _arguments ${children.length > 0 ? '-C ' : ''}${specs.join(' \\\n    ')}`);
  if (children.length > 0) {
    lines.push('  case $state in', '    command)', '      local -a names', '      names=(');
    for (const { name, description } of children) lines.push(`        ${quote(`${name}:${description}`)}`);
    lines.push('      )', "      _describe 'command' names ;;", '    rest)', '      case $words[1] in');
    for (const { name } of children) {
      const child = path === '' ? name : `${path} ${name}`;
      lines.push(`        ${name}) (( $+functions[${functionName(child)}] )) && ${functionName(child)} ;;`);
    }
    lines.push('      esac ;;', '  esac');
  }
  lines.push('}');
  return lines;
}

function zshOption({ short, long, description, takesValue, values }: CompletionOption): string {
  const about = `[${description.replaceAll(/[[\]:\\]/g, '\\$&')}]`;
  const value = !takesValue ? '' : values.length > 0 ? `:value:(${values.join(' ')})` : ':value:_files';
  const flags = [short, long].filter((flag) => flag !== undefined);
  const bodies = flags.map((flag) => quote(`${flag}${about}${value}`));
  return bodies.join(' ');
}

function functionName(path: string): string {
  return path === '' ? '_pchronicle' : `_pchronicle_${path.replaceAll(' ', '_')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
