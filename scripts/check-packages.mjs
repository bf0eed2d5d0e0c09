// publint and attw over every package as it would be published: `node scripts/check-packages.mjs` (dist/ must be built).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { pack, publishable } from './pack.mjs';
import { ensurePnpm } from './workspace.mjs';

ensurePnpm();
const attw = join(
  dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json')),
  'dist/index.js',
);
const folder = mkdtempSync(join(tmpdir(), 'pchronicle-pack-'));
let faults = 0;
try {
  for (const { name, folder: source, manifest } of publishable()) {
    const tarball = pack(source, folder);
    const bytes = readFileSync(tarball);
    const tarballBuffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages, pkg } = await publint({
      strict: true,
      level: 'suggestion',
      pack: { tarball: tarballBuffer },
    });
    for (const message of messages) console.error(`${name}: publint: ${formatMessage(message, pkg)}`);
    faults += messages.length;

    // The packages are ES modules; CommonJS callers reach them through import().
    const types = spawnSync(
      process.execPath,
      [
        attw,
        tarball,
        '--profile',
        'esm-only',
        '--no-definitely-typed',
        '--format',
        'ascii',
        '--no-color',
        '--no-emoji',
      ],
      { encoding: 'utf8' },
    );
    if (types.status !== 0) {
      console.error(`${name}: attw:\n${types.stdout}${types.stderr}`);
      faults += 1;
    }
    console.log(
      `${name} ${manifest.version}: ${messages.length} publint messages, attw ${types.status === 0 ? 'clean' : 'not clean'}, ${bytes.byteLength} bytes packed`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);
