import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin } from './run.ts';

/** A ```console block of a document: commands after `$ `, each followed by what it prints. */
export interface ConsoleBlock {
  readonly line: number;
  readonly commands: readonly { readonly command: string; readonly output: string }[];
  /** Offsets of its inner text in the document. */
  readonly start: number;
  readonly end: number;
}

/** Finds the ```console blocks of a Markdown text. */
export function consoleBlocks(text: string): readonly ConsoleBlock[] {
  const blocks: ConsoleBlock[] = [];
  for (const match of text.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
    const inner = match[1] ?? '';
    const start = match.index + '```console\n'.length;
    const commands: { command: string; output: string }[] = [];
    for (const line of inner.split('\n').slice(0, -1)) {
      const last = commands.at(-1);
      if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' });
      else if (last !== undefined) last.output += `${line}\n`;
    }
    blocks.push({
      line: text.slice(0, match.index).split('\n').length,
      commands,
      start,
      end: start + inner.length,
    });
  }
  return blocks;
}

/** Runs all blocks of a document one after another in one folder, as a reader would; returns what each command printed (both streams). */
export function runBlocks(blocks: readonly ConsoleBlock[], folder: string): readonly (readonly string[])[] {
  const tools = join(folder, '.tools');
  mkdirSync(tools);
  const wrapper = `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`;
  writeFileSync(join(tools, 'pchronicle'), wrapper, { mode: 0o755 });
  return blocks.map(({ commands }) => {
    const mark = '=-=-= next =-=-=';
    const script = commands
      .map(({ command }) => `${command}\n__status=$?; echo '${mark}'; (exit $__status)`)
      .join('\n');
    const { stdout } = spawnSync('bash', ['--norc', '-c', `exec 2>&1\n${script}`], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${tools}:${process.env.PATH}`,
        NO_COLOR: '1',
        PCHRONICLE_STORE: undefined,
        TZ: 'UTC',
      },
    });
    return stdout.split(`${mark}\n`).slice(0, commands.length);
  });
}

/** Takes out of a text what differs from run to run: durations, rates, sizes on disk, keys made of paths, exact column padding. */
export function steady(text: string): string {
  return text
    .replace(/\b\d+(\.\d+)? (ms|s)\b|\b\d+m \d\ds\b/g, 'TIME')
    .replace(/"seconds":[\d.e-]+/g, '"seconds":0')
    .replace(/"bytes(_on_disk)?":\d+/g, '"bytes$1":0')
    .replace(/\b\d+(\.\d+)? (B|kB|MB)\b/g, 'SIZE')
    .replace(/\b[0-9a-hjkmnp-tv-z]{20}\b/g, 'KEY')
    .replace(/^[0-9a-hjkmnp-tv-z]{8}(?= )/gm, 'KEY')
    .replace(/\b\d+ parts whole\b/g, 'N parts whole')
    .replace(/[ \t]+/g, ' ')
    .trimEnd();
}
