import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actfDocument } from '../support/documents.ts';
import { bin, folder } from '../support/run.ts';

// A pipe of the shell, which a child process of Node's own does not have as its input: after a look at it Node no longer followed links.
test.skipIf(process.platform === 'win32')('what another program writes is imported into a store', () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('t1')));
  const command = `cat a.json | '${process.execPath}' '${bin}' import - --store ./store 2>&1`;
  // A package manager that runs the tests names its folders here, and hides what is not found without.
  const env = { ...process.env, NODE_PATH: '' };
  expect(execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' })).toMatch(/imported \d+ traject/);
});
