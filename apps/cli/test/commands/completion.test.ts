import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALL_FORMAT_NAMES } from '../../src/format-names.ts';
import { folder, pchronicle } from '../support/run.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** What bash offers after these words, the last of which is being typed. */
async function offered(words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await pchronicle(['completion', 'bash']);
  const file = join(folder(), 'completion.bash');
  writeFileSync(file, stdout);
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `source ${file}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _pchronicle; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout: text, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return text.split('\n').filter((word) => word !== '');
}

describe('completion bash, sourced and asked in a real bash', () => {
  test('commands', async () => {
    expect(await offered(['pchronicle', 'con'])).toEqual(['convert']);
    expect(await offered(['pchronicle', ''])).toEqual(
      expect.arrayContaining([
        'detect',
        'validate',
        'convert',
        'import',
        'export',
        'ls',
        'list',
        'show',
        'store',
      ]),
    );
    expect(await offered(['pchronicle', 'store', ''])).toEqual([
      'info',
      'verify',
      'delete',
      'maintain',
      'versions',
      'tag',
      'untag',
    ]);
  });

  test('options, those of every command included', async () => {
    expect(await offered(['pchronicle', 'ls', '--js'])).toEqual(['--json', '--jsonl']);
    expect(await offered(['pchronicle', 'store', 'info', '--q'])).toEqual(['--quiet']);
    expect(await offered(['pchronicle', 'convert', 'a.json', '--ov'])).toEqual(['--overwrite']);
  });

  test('values', async () => {
    expect(await offered(['pchronicle', 'convert', '--to', ''])).toEqual([...ALL_FORMAT_NAMES]);
    expect(await offered(['pchronicle', 'convert', '--to', '=', 'story'])).toEqual(['storyline']);
    expect(await offered(['pchronicle', 'convert', '--container', 'l'])).toEqual(['lines']);
    expect(await offered(['pchronicle', 'completion', 'z'])).toEqual(['zsh']);
  });

  test('file names where a file is wanted: it offers nothing of its own', async () => {
    expect(await offered(['pchronicle', 'convert', '-o', ''])).toEqual([]);
    expect(await offered(['pchronicle', 'validate', 'traj'])).toEqual([]);
  });
});

test.skipIf(!has('zsh'))(
  'completion zsh is accepted by zsh and defines a function for each command',
  async () => {
    const { stdout } = await pchronicle(['completion', 'zsh']);
    const file = join(folder(), '_pchronicle');
    writeFileSync(file, stdout);
    const script = `autoload -Uz compinit; compinit -u -D; source ${file}; print -l \${(k)functions[(I)_pchronicle*]} $_comps[pchronicle]`;
    const { status, stdout: text, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining(['_pchronicle', '_pchronicle_convert', '_pchronicle_store_info']),
    );
  },
);

test.skipIf(!has('fish'))('completion fish is sourced and asked in a real fish', async () => {
  const { stdout } = await pchronicle(['completion', 'fish']);
  const file = join(folder(), 'pchronicle.fish');
  writeFileSync(file, stdout);
  const ask = (line: string): readonly string[] => {
    const script = `source ${file}; complete -C '${line}'`;
    const {
      status,
      stdout: text,
      stderr,
    } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return text.split('\n').map((found) => found.split('\t')[0] ?? '');
  };
  expect(ask('pchronicle conv')).toContain('convert');
  expect(ask('pchronicle convert --to ')).toEqual(expect.arrayContaining([...ALL_FORMAT_NAMES]));
  expect(ask('pchronicle store ')).toEqual(expect.arrayContaining(['info', 'verify']));
});
