import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';

/** Asks a person on the terminal whether to go on; anything but `y` or `yes` means no. Where nobody can be asked, `--yes` is needed (exit 2). */
export async function confirmed(question: string, context: Context): Promise<boolean> {
  if (process.stdin.isTTY !== true || !context.notes.isTerminal) {
    throw usageFailure(
      'cli/not-confirmed',
      `${question} Nobody can be asked here, so nothing was done`,
      'say --yes to go ahead, or --dry-run to see what is meant',
    );
  }
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // While a line is read the terminal's Ctrl-C comes here, not as a signal.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const asked = lines.question(`${question} [y/N] `, { signal: context.interrupt.signal });
    const text = await Promise.race([asked, closed]).catch(() => '');
    context.interrupt.check();
    return /^y(es)?$/i.test(text.trim());
  } finally {
    lines.close();
  }
}
