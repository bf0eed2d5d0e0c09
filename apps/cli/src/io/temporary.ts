import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pending = new Set<string>();
let watching = false;

/** A new private folder (mode 0700) that is gone when the process ends, however it ends short of a kill. */
export function temporaryFolder(): string {
  return removeAtExit(mkdtempSync(join(tmpdir(), 'pchronicle-')));
}

/** Removes `path` (file or folder) at exit, unless {@link keep} is called before; returns it. */
export function removeAtExit(path: string): string {
  if (!watching) {
    watching = true;
    process.on('exit', removeTemporary);
  }
  pending.add(path);
  return path;
}

/** Takes back {@link removeAtExit}: the file is where it belongs, or gone already. */
export function keep(path: string): void {
  pending.delete(path);
}

/** Removes now what {@link removeAtExit} promised. */
export function removeTemporary(): void {
  for (const path of pending) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Nothing sensible is left to do about a temporary file while the process ends.
    }
  }
  pending.clear();
}
