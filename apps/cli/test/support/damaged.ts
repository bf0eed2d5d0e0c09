import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storylineDocument, turn } from './documents.ts';
import { folder, pchronicle } from './run.ts';

/** A folder with a store of s1, s2 and s3 in a file each, of which that of the steps of s2 is cut short; `file` is its name in the store. */
export async function damagedFolder(): Promise<{ readonly cwd: string; readonly file: string }> {
  const cwd = folder();
  const data = join(cwd, 'trajectories', 'steps.lance', 'data');
  const files: string[] = [];
  for (const id of ['s1', 's2', 's3']) {
    writeFileSync(join(cwd, `${id}.json`), JSON.stringify(storylineDocument(id, [turn(1), turn(2)])));
    await pchronicle(['import', `${id}.json`, '--quiet'], { cwd });
    files.push(...readdirSync(data).filter((file) => !files.includes(file)));
  }
  writeFileSync(join(data, files[1] ?? ''), 'short');
  return { cwd, file: `steps.lance/data/${files[1]}` };
}
