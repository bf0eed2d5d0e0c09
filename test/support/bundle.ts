import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './workspace.ts';

/** A bundle made in memory. */
export interface Bundle {
  readonly text: string;
  /** Bytes after gzip. */
  readonly gzipped: number;
  /** The modules it holds, relative to the root. */
  readonly inputs: readonly string[];
}

/** Bundles a piece of code for a browser, from the packages' sources; throws when that needs anything of Node. */
export async function bundleForBrowser(
  code: string,
  resolveDir: string,
  external: readonly string[] = [],
): Promise<Bundle> {
  const result = await build({
    stdin: { contents: code, resolveDir, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@pchronicle/source'],
    external: [...external],
    minify: true,
    treeShaking: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const text = result.outputFiles[0]?.text ?? '';
  return { text, gzipped: gzipSync(text, { level: 9 }).length, inputs: Object.keys(result.metafile.inputs) };
}
