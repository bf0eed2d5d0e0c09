import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of a folder that outlives the test that made it, for tests that only read. */
export function keepFolder(from: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pchronicle-cli-kept-'));
  cpSync(from, path, { recursive: true });
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
