import { Argument, type Command } from 'commander';
import { define, type Start } from './define.ts';

/** `pchronicle completion`. */
export function completionCommand(start: Start): Command {
  return define('completion', 'print a completion script for your shell', [
    'completion bash > ~/.local/share/bash-completion/completions/pchronicle',
    'completion zsh > "$fpath[1]/_pchronicle"',
    'completion fish > ~/.config/fish/completions/pchronicle.fish',
  ])
    .addArgument(new Argument('<shell>', 'shell to write for').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish', _options: unknown, self: Command) =>
      start(self, async (context) => {
        const { completionScript } = await import('../completion/script.ts');
        await context.stdout.write(completionScript(shell, self.parent ?? self));
      }),
    );
}
