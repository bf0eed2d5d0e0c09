import { spawn } from 'node:child_process';
import type { Context } from '../context.ts';

/** Writes text through the user's pager (`PAGER`, else `less`) on a terminal, straight to stdout elsewhere. */
export async function writePaged(
  pieces: () => Iterable<string>,
  context: Context,
  wanted: boolean,
): Promise<void> {
  const pager = context.env.PAGER ?? (process.platform === 'win32' ? 'more' : 'less');
  if (!wanted || !context.stdout.isTerminal || pager === '' || pager === 'cat') {
    for (const piece of pieces()) await context.stdout.write(piece);
    return;
  }
  await context.interrupt.ignoring(() => through(pager, pieces, context));
}

async function through(pager: string, pieces: () => Iterable<string>, context: Context): Promise<void> {
  // F: quit if it fits on one screen; R: keep colours; X: leave the text on the screen (as git does).
  const env = { LESS: 'FRX', ...context.env };
  const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 0));
  });
  let closed = false;
  child.stdin.on('error', () => {
    closed = true; // the user left the pager before the end
  });
  for (const piece of pieces()) {
    if (closed) break;
    if (!child.stdin.write(piece)) {
      await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
    }
  }
  child.stdin.end();
  if ((await ended) !== 127) return;
  context.notes.say(`the pager ${JSON.stringify(pager)} was not found; set PAGER, or use --no-pager`);
  for (const piece of pieces()) await context.stdout.write(piece);
}
