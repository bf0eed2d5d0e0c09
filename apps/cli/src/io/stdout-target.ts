import { bufferedText } from './buffered-text.ts';
import type { DataOutput } from './stdout.ts';
import type { Target } from './target.ts';

/** Standard output as a target. What was written stays written: a pipe cannot be taken back. */
export function stdoutTarget(stdout: DataOutput): Target {
  const text = bufferedText((bytes) =>
    stdout.isTerminal ? stdout.writeJson(Buffer.from(bytes).toString('utf8')) : stdout.write(bytes),
  );
  return {
    write: (data) => text.write(data),
    commit: () => text.flush(),
    abort: async () => {},
  };
}
