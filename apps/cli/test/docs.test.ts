import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { consoleBlocks, runBlocks, steady } from './support/console-blocks.ts';
import { folder } from './support/run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// The commands in these documents are run, in order, beside the bundled examples; what they print must be what the document shows.
// PCHRONICLE_UPDATE=1 writes what they print now into the document.
test.skipIf(process.platform === 'win32').each(['apps/cli/README.md', 'docs/cli.md', 'README.md'])(
  'the tour in %s is real',
  (path) => {
    const file = join(root, path);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const blocks = consoleBlocks(text);
    const cwd = folder();
    for (const name of readdirSync(join(root, 'examples')))
      cpSync(join(root, 'examples', name), join(cwd, name), { recursive: true });
    const printed = runBlocks(blocks, cwd);
    if (process.env.PCHRONICLE_UPDATE === '1') {
      writeFileSync(file, updated(text, blocks, printed));
      return;
    }
    if (path !== 'README.md') expect(blocks.length).toBeGreaterThan(0);
    for (const [index, block] of blocks.entries()) {
      for (const [position, { command, output }] of block.commands.entries()) {
        const actual = steady(printed[index]?.[position] ?? '');
        expect(actual, `line ${block.line}: ${command}`).toBe(steady(output));
        expect(actual).not.toMatch(/cli\/internal|^\s+at .+:\d+:\d+\)?$/m);
      }
    }
  },
  300_000, // dozens of processes, on whatever machine
);

function updated(
  text: string,
  blocks: ReturnType<typeof consoleBlocks>,
  printed: ReturnType<typeof runBlocks>,
): string {
  let result = text;
  for (const [index, block] of [...blocks.entries()].reverse()) {
    const inner = block.commands
      .map(
        ({ command }, position) =>
          `$ ${command}\n${(printed[index]?.[position] ?? '').replace(/[ \t]+$/gm, '')}`,
      )
      .join('');
    result = result.slice(0, block.start) + inner + result.slice(block.end);
  }
  return result;
}
