import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { packages, read, root } from './workspace.ts';

/** One runnable block of a document, and the output that the document shows after it. */
export interface Example {
  readonly document: string;
  readonly line: number;
  readonly code: string;
  /** Text of the ```text block that follows, when there is one before the next example. */
  readonly output?: string;
}

/** All ```ts blocks of a Markdown file that import a package of ours. */
export function examplesIn(document: string): readonly Example[] {
  const blocks: { language: string; line: number; text: string }[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of read(document).split('\n').entries()) {
    const fence = /^```(\S*)/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { language: fence[1] ?? '', line: index + 1, lines: [] };
    else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  return blocks.flatMap((block, index) => {
    if (block.language !== 'ts' || !/from '@pchronicle\//.test(block.text)) return [];
    const next = blocks[index + 1];
    return [
      {
        document,
        line: block.line,
        code: block.text,
        ...(next?.language === 'text' ? { output: next.text } : {}),
      },
    ];
  });
}

/**
 * Third parties stay what they are (some are native): their imports become file URLs, found from the file that imports them. So does
 * the store, as built: its worker is a file beside its own module.
 */
const thirdPartiesOutside: Plugin = {
  name: 'third-parties-outside',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === 'seen' || path.startsWith('node:')) return undefined;
      if (path.startsWith('@pchronicle/store-')) {
        return { path: pathToFileURL(builtEntry(path)).href, external: true };
      }
      if (path.startsWith('@pchronicle/')) {
        const found = await bundler.resolve(path, { kind, resolveDir, pluginData: 'seen' });
        // A document may show packages together that its own does not depend on.
        return found.errors.length === 0 ? undefined : { path: sourceEntry(path) };
      }
      const found = await bundler.resolve(path, { kind, resolveDir, pluginData: 'seen' });
      if (found.errors.length > 0) return undefined;
      return {
        path: found.path.startsWith('node:') ? found.path : pathToFileURL(found.path).href,
        external: true,
      };
    });
  },
};

/** The source file of an entry of one of our packages. */
function sourceEntry(specifier: string): string {
  const target = entryOf(specifier);
  return join(target.folder, target['@pchronicle/source'] ?? '');
}

/** The built file of an entry of one of our packages. */
function builtEntry(specifier: string): string {
  const target = entryOf(specifier);
  return join(target.folder, target.default ?? '');
}

function entryOf(specifier: string): {
  readonly folder: string;
  readonly [condition: string]: string | undefined;
} {
  const [scope, name, ...rest] = specifier.split('/');
  const found = packages.find((one) => one.name === `${scope}/${name}`);
  const target = found?.manifest.exports?.[['.', ...rest].join('/')];
  if (found === undefined || typeof target !== 'object') throw new Error(`${specifier} is no entry of ours`);
  return { ...target, folder: found.folder };
}

/** Runs an example in a process of its own, in an empty folder that holds copies of the `examples/` folder beside its document; returns what it printed. */
export async function runExample(
  example: Example,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const home = join(root, dirname(example.document));
  const folder = mkdtempSync(join(tmpdir(), 'pchronicle-example-'));
  try {
    const cwd = join(folder, 'cwd');
    mkdirSync(cwd);
    if (existsSync(join(home, 'examples'))) cpSync(join(home, 'examples'), cwd, { recursive: true });
    const result = await build({
      stdin: {
        contents: example.code,
        resolveDir: home,
        loader: 'ts',
        sourcefile: `${example.document}:${example.line}`,
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      conditions: ['@pchronicle/source'],
      plugins: [thirdPartiesOutside],
      write: false,
      logLevel: 'silent',
    });
    const program = join(folder, 'example.mjs');
    writeFileSync(program, result.outputFiles[0]?.text ?? '');
    const child = spawnSync(process.execPath, [program], {
      cwd,
      encoding: 'utf8',
      timeout: 50_000,
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { status: child.status, stdout: child.stdout, stderr: child.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
