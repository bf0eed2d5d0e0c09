import type { CompletionCommand } from './describe.ts';

/** A completion script for bash 3.2 and later, without bash-completion: words it knows, else file names. */
export function bashScript(commands: readonly CompletionCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const lines = [
    `# bash completion for pchronicle
_pchronicle() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" path="" next i words=""
  [ "$COMP_CWORD" -gt 0 ] && prev="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$cur" = "=" ]; then cur=""
  elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case "$next" in
      ${paths.join('|')}) path="$next" ;;
    esac
  done
  case "$path:$prev" in`,
  ];
  for (const { path, options } of commands) {
    for (const option of options.filter((candidate) => candidate.takesValue)) {
      const flags = [option.short, option.long].filter((flag) => flag !== undefined);
      const values = option.values.length === 0 ? 'return' : `words="${option.values.join(' ')}"`;
      lines.push(`    ${flags.map((flag) => `"${path}:${flag}"`).join('|')}) ${values} ;;`);
    }
  }
  lines.push('    *) case "$path" in');
  for (const { path, options, children, choices } of commands) {
    const flags = options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag !== undefined);
    const words = [...children.map(({ name }) => name), ...choices];
    lines.push(
      `      "${path}") if [ "\${cur#-}" != "$cur" ]; then words="${flags.join(' ')}"; else words="${words.join(' ')}"; fi ;;`,
    );
  }
  lines.push(
    '    esac ;;',
    '  esac',
    '  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o bashdefault -o default -F _pchronicle pchronicle',
    '',
  );
  return lines.join('\n');
}
