import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesIn } from './support/files-in.ts';
import { bytesUnder, failureOf, packAll, runProgram, scratchProject } from './support/scratch.ts';

const sorted = `
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]));
}
`;

const actfConsumer = `
import { exportActf, importActf, normaliseActf } from '@pchronicle/format-actf';
import type { Issue, Storyline } from '@pchronicle/storyline-core';

const text = JSON.stringify({
  task_id: 'scratch', category: 'demo', k: 1, correct: true, attempts_tried: 1, solved_at: null,
  attempts: {
    '1': {
      correct: true, final_answer: '42', ground_truth: '42', status: 'completed', score: 1, error: '',
      artifacts: {}, extra: {}, analysis_result: {}, meta: {},
      trajectory: {
        schema_version: 'ACTF_v1.0', started_at: '2026-08-01T00:00:00Z', finished_at: '2026-08-01T00:00:02Z',
        steps: [{
          step_id: 1, assistant_content: { content: 'The answer is 42.', reasoning_content: '', tool_calls: [] },
          metric: { prompt_tokens_len: 3, completion_tokens_len: 5, llm_infer_ms: null, env_action_ms: null, stop_reason: 'stop' },
          system_prompt: '', user_content: 'What is the answer?', tools: [], observation: [],
          started_at: '2026-08-01T00:00:00Z', finished_at: '2026-08-01T00:00:02Z', vendor: { id: 1 },
        }],
      },
    },
  },
});

const read = importActf(text);
const storylines: readonly Storyline[] = read.storylines;
const issues: readonly Issue[] = read.issues;
const written = exportActf(storylines);
const [first] = storylines;
console.log(JSON.stringify({
  storylines: storylines.length,
  session: first?.session,
  msg: first?.turns[0]?.msg,
  codes: issues.map((issue) => issue.code),
  same: JSON.stringify(sorted(JSON.parse(written.text))) === JSON.stringify(sorted(normaliseActf(JSON.parse(text)))),
}));
${sorted}`;

const openaiConsumer = `
import { exportOpenaiMessages, importOpenaiMessages, normaliseOpenaiMessages } from '@pchronicle/format-openai-msg';
import type { Issue, Storyline } from '@pchronicle/storyline-core';

const question = { role: 'user', content: 'What is the answer?' };
const rows = [
  { session_id: 'scratch', step_id: 1, messages: [question], response: { role: 'assistant', content: 'The answer is 42.' }, vendor: { id: 1 } },
];
const text = JSON.stringify({ session_steps: rows });

const read = importOpenaiMessages(text);
const storylines: readonly Storyline[] = read.storylines;
const issues: readonly Issue[] = read.issues;
const written = exportOpenaiMessages(storylines);
const [first] = storylines;
console.log(JSON.stringify({
  storylines: storylines.length,
  session: first?.session,
  msg: first?.turns[1]?.msg,
  codes: issues.map((issue) => issue.code),
  same: JSON.stringify(sorted(JSON.parse(written.text))) === JSON.stringify(sorted(normaliseOpenaiMessages(JSON.parse(text)))),
}));
${sorted}`;

/** The packages that promise to be small, each with a program that uses it and a call that does not type-check. */
const small = [
  {
    name: 'format-actf',
    functions: 'importActf, exportActf',
    consumer: actfConsumer,
    wrong: `import { importActf } from '@pchronicle/format-actf';\nexport const wrong: number = importActf('').storylines;\n`,
  },
  {
    name: 'format-openai-msg',
    functions: 'importOpenaiMessages, exportOpenaiMessages',
    consumer: openaiConsumer,
    wrong: `import { importOpenaiMessages } from '@pchronicle/format-openai-msg';\nexport const wrong: number = importOpenaiMessages('').storylines;\n`,
  },
];

const require = createRequire(import.meta.url);
const compilers = [
  { version: '5.5', compiler: join(dirname(require.resolve('typescript-5.5/package.json')), 'bin/tsc') },
  { version: '7', compiler: join(dirname(require.resolve('typescript/package.json')), 'bin/tsc') },
];
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

/** Bytes, compressed, of what a browser loads for some code, from the installed packages. */
async function bundleInstalled(
  contents: string,
  folder: string,
  external: readonly string[],
): Promise<number> {
  const result = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    external: [...external],
    minify: true,
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(result.outputFiles[0]?.text ?? '', { level: 9 }).length;
}

describe.each(small)(
  'a project that installs only the packed @pchronicle/$name',
  ({ name, functions, consumer, wrong }) => {
    const code = `export { ${functions} } from '@pchronicle/${name}';`;
    let tarballs = '';
    let project: ReturnType<typeof scratchProject>;

    beforeAll(() => {
      tarballs = mkdtempSync(join(tmpdir(), 'pchronicle-tarballs-'));
      const [format = '', core = ''] = packAll([`packages/${name}`, 'packages/storyline-core'], tarballs);
      project = scratchProject({ [`@pchronicle/${name}`]: format }, { '@pchronicle/storyline-core': core });
      writeFileSync(join(project.folder, 'consumer.mts'), consumer);
    }, 120_000);

    afterAll(() => {
      project?.remove();
      rmSync(tarballs, { recursive: true, force: true });
    });

    test('gets exactly two packages, under 300 kB on disk', () => {
      const modules = join(project.folder, 'node_modules');
      const installed = readdirSync(modules).filter((name) => !name.startsWith('.'));
      expect(installed).toEqual(['@pchronicle']);
      expect(readdirSync(join(modules, '@pchronicle')).sort()).toEqual([name, 'storyline-core']);
      expect(existsSync(join(modules, '@pchronicle', name, 'node_modules'))).toBe(false);
      expect(bytesUnder(join(modules, '@pchronicle'))).toBeLessThan(300_000);
      expect(filesIn(join(modules, '@pchronicle')).length).toBeLessThan(20);
    });

    test('gets no install script, and packages with their licence and README', () => {
      for (const one of [name, 'storyline-core']) {
        const folder = join(project.folder, 'node_modules/@pchronicle', one);
        const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
          scripts?: object;
        };
        expect(
          Object.keys(manifest.scripts ?? {}).filter((script) => /install|prepare/.test(script)),
        ).toEqual([]);
        expect(readdirSync(folder)).toEqual(
          expect.arrayContaining(['LICENSE', 'README.md', 'lib', 'package.json']),
        );
      }
      const lock = JSON.parse(readFileSync(join(project.folder, 'package-lock.json'), 'utf8')) as {
        packages: { [path: string]: { hasInstallScript?: boolean } };
      };
      expect(Object.values(lock.packages).filter((one) => one.hasInstallScript === true)).toEqual([]);
    });

    // The declarations of the DOM are checked too (no skipLibCheck), which takes its time.
    for (const { version, compiler } of compilers) {
      test.each(resolutions)(
        `type-checks under TypeScript ${version} with moduleResolution $moduleResolution`,
        ({ module, moduleResolution }) => {
          const found = runProgram(process.execPath, [compiler, '--version'], project.folder);
          expect(found).toContain(`Version ${version}.`);
          const options = [
            '--noEmit',
            '--strict',
            '--target',
            'es2022',
            '--module',
            module,
            '--moduleResolution',
            moduleResolution,
          ];
          // A file with a fault beside the good one: the check can fail, and only that file does.
          writeFileSync(join(project.folder, 'wrong.mts'), wrong);
          for (const strictest of [
            [],
            ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'],
          ]) {
            const output = failureOf(
              process.execPath,
              [compiler, ...options, ...strictest, 'consumer.mts', 'wrong.mts'],
              project.folder,
            );
            expect(output.match(/^.*error TS\d+/gm)).toEqual([expect.stringMatching(/^wrong\.mts.*TS2322/)]);
          }
        },
        180_000,
      );
    }

    test('adds less than 15 kB to a page that has the hub', async () => {
      const own = await bundleInstalled(code, project.folder, ['@pchronicle/storyline-core']);
      expect(own).toBeGreaterThan(1_000);
      expect(own).toBeLessThan(15_000);
    });

    test('costs a page that has nothing yet less than 52 kB, the hub with all its drivers included', async () => {
      expect(await bundleInstalled(code, project.folder, [])).toBeLessThan(52_000);
    });

    test('imports, exports and normalises a document', () => {
      const [, { compiler } = { compiler: '' }] = compilers;
      runProgram(
        process.execPath,
        [
          compiler,
          '--target',
          'es2022',
          '--module',
          'nodenext',
          '--moduleResolution',
          'nodenext',
          'consumer.mts',
        ],
        project.folder,
      );
      const printed = JSON.parse(runProgram(process.execPath, ['consumer.mjs'], project.folder)) as unknown;
      expect(printed).toEqual({
        storylines: 1,
        session: 'scratch',
        msg: 'The answer is 42.',
        codes: ['core/unknown-key'],
        same: true,
      });
    });
  },
);
