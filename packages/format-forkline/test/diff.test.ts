import type { Json, JsonObject } from '@pchronicle/storyline-core';
import { describe, expect, test } from 'vitest';
import {
  ciDiff,
  ciDiffJson,
  ciDiffText,
  ciNormalise,
  compareReplay,
  eventDiff,
  eventDiffJson,
  eventDiffText,
  type FirstDivergenceOptions,
  firstDivergence,
  firstDivergenceJson,
  firstDivergenceText,
  hashesAreComparable,
  jsonDiff,
  replayComparisonToJson,
  replaySummary,
  type TracedRun,
} from '../src/diff/index.ts';
import { pythonJson } from '../src/python/index.ts';
import { counted, expectSame, fixture, python } from './support/fixtures.ts';

test('vector 04: json_diff lists what Forkline lists, in its order', () => {
  const vectors = fixture<readonly { old_json: string; new_json: string; ops?: Json; ops_text?: string }[]>(
    '04-json-diff/expected.json',
  );
  for (const { old_json, new_json, ops, ops_text } of vectors) {
    const found = jsonDiff(python(old_json), python(new_json)) as unknown as Json;
    const expected = ops_text ?? pythonJson(ops ?? null, { sortKeys: false });
    expect(pythonJson(found, { sortKeys: false })).toBe(expected);
  }
  counted('04', vectors.length, 42);
});

describe('json_diff beyond Forkline', () => {
  test('pointers tell a.b from a → b, where paths do not', () => {
    const found = jsonDiff(python('{"a.b":1,"a":{"b":1}}'), python('{"a.b":2,"a":{"b":3}}'), {
      pointers: true,
    });
    expect(found.map(({ path, pointer }) => [path, pointer])).toEqual([
      ['$.a.b', '/a/b'],
      ['$.a.b', '/a.b'],
    ]);
  });

  test('deep values do not recurse', () => {
    const deep = (leaf: string): Json => python('['.repeat(1_000) + leaf + ']'.repeat(1_000));
    expect(jsonDiff(deep('1'), deep('2'))).toHaveLength(1);
  });
});

interface RawRun {
  readonly run_id: string;
  readonly steps: readonly {
    readonly idx: number;
    readonly name: string;
    readonly events: readonly { readonly type: string; readonly payload_json: string }[];
  }[];
}

function tracedRuns(path: string): Map<string, TracedRun> {
  const runs = fixture<readonly RawRun[]>(path);
  return new Map(
    runs.map((run) => [
      run.run_id,
      {
        run_id: run.run_id,
        steps: run.steps.map((step) => ({
          idx: step.idx,
          name: step.name,
          events: step.events.map(({ type, payload_json }) => ({ type, payload: python(payload_json) })),
        })),
      },
    ]),
  );
}

interface DivergenceCase {
  readonly case: string;
  readonly options: {
    readonly window?: number;
    readonly context_size?: number;
    readonly show?: 'input' | 'output' | 'both';
  };
  readonly result?: Json;
  readonly error?: JsonObject;
  readonly cli_v03_text?: { readonly exit: number; readonly stdout: string };
}

function stepsOf(runs: ReadonlyMap<string, TracedRun>, id: string): TracedRun['steps'] {
  const run = runs.get(id);
  if (run === undefined) throw new Error(`no run ${id}`);
  return run.steps;
}

test('vector 05: first divergence, as object, JSON text and the text of 0.3', () => {
  const runs = tracedRuns('05-first-divergence/runs.json');
  const { cases } = fixture<{ cases: readonly DivergenceCase[] }>('05-first-divergence/expected.json');
  let texts = 0;
  let crashes = 0;
  for (const one of cases) {
    const [a, b] = [stepsOf(runs, `${one.case}-a`), stepsOf(runs, `${one.case}-b`)];
    const { window, context_size: contextSize, show } = one.options;
    const options: FirstDivergenceOptions = {
      ...(window === undefined ? {} : { window }),
      ...(contextSize === undefined ? {} : { contextSize }),
      ...(show === undefined ? {} : { show }),
    };
    const found = firstDivergence(a, b, options);
    if (one.result === undefined) {
      // A lone surrogate crashes Forkline; here it is compared, and marked as not comparable with its hashes.
      crashes += 1;
      expect(one.case).toBe('lone-surrogate-payload');
      expect(hashesAreComparable(a)).toBe(false);
      expect(found.status).toBe('input_divergence');
      continue;
    }
    const text = `${pythonJson(one.result, { indent: 2, sortKeys: false })}\n`;
    expect([one.case, firstDivergenceJson(found)]).toEqual([one.case, text]);
    expect(hashesAreComparable(a) && hashesAreComparable(b)).toBe(true);
    const cli = one.cli_v03_text;
    if (cli !== undefined && Object.keys(one.options).every((key) => key !== 'context_size')) {
      texts += 1;
      expect([one.case, firstDivergenceText(found)]).toEqual([one.case, cli.stdout]);
      expect(found.status === 'exact_match' ? 0 : 1).toBe(cli.exit);
    }
  }
  counted('05', cases.length, 55);
  counted('05 (texts of 0.3)', texts, 53);
  expect(crashes).toBe(1);
});

test('vector 05 without its quirk: an output change among look-alike steps is an output change', () => {
  const runs = tracedRuns('05-first-divergence/runs.json');
  for (const name of ['repeated-name-no-input-output-change', 'repeated-name-same-input-output-change']) {
    const [a, b] = [stepsOf(runs, `${name}-a`), stepsOf(runs, `${name}-b`)];
    expect(firstDivergence(a, b).status).toBe('extra_steps');
    const found = firstDivergence(a, b, { quirk: false });
    expect(found.status).toBe('output_divergence');
    expect(found.output_diff).not.toEqual([]);
  }
});

test('vector 21: event diff, as text and JSON', () => {
  const runs = new Map(
    fixture<readonly { run_id: string; events: readonly { type: string; payload: string }[] }[]>(
      '21-cli-event-diff/runs.json',
    ).map((run) => [run.run_id, run.events.map(({ type, payload }) => ({ type, payload: python(payload) }))]),
  );
  const cases = fixture<
    readonly { case: string; pretty: { stdout: string; exit: number }; json: { stdout: string } }[]
  >('21-cli-event-diff/expected.json');
  let compared = 0;
  for (const one of cases) {
    const [a, b] = [`${one.case}-a`, `${one.case}-b`];
    const diff = eventDiff(runs.get(a) ?? [], runs.get(b) ?? []);
    expect(eventDiffText(diff, a, b)).toBe(one.pretty.stdout);
    expect(eventDiffJson(diff, a, b)).toBe(one.json.stdout);
    expect(diff.identical ? 0 : 1).toBe(one.pretty.exit);
    compared += 2;
  }
  counted('21', compared, 52);
});

test('vector 24: replay comparison, as object, summary, step results', () => {
  const runs = tracedRuns('24-replay-compare/runs.json');
  const cases = fixture<
    readonly {
      case: string;
      options?: { ignore_timestamps?: boolean };
      status: string;
      to_dict: JsonObject;
      summary: string;
      divergence_point?: JsonObject | null;
      step_results?: Json;
    }[]
  >('24-replay-compare/expected.json');
  let compared = 0;
  const text = (value: Json): Json =>
    typeof value === 'object' && value !== null && 'python_json_text' in value
      ? python(String(value.python_json_text))
      : value;
  for (const one of cases) {
    const [first, second] = one.case.includes(' vs ')
      ? one.case.split(' vs ')
      : [`${one.case}-a`, `${one.case}-b`];
    const ignore = one.options?.ignore_timestamps;
    const found = compareReplay(
      runs.get(first ?? '') ?? first ?? '',
      runs.get(second ?? '') ?? second ?? '',
      ignore === undefined ? {} : { ignoreTimestamps: ignore },
    );
    expect([one.case, found.status]).toEqual([one.case, one.status]);
    expectSame(replayComparisonToJson(found), text(one.to_dict));
    expect(replaySummary(found)).toBe(one.summary);
    compared += 3;
    if (one.step_results !== undefined) {
      expectSame(found.step_results, one.step_results);
      expectSame(found.divergence_point, text(one.divergence_point ?? null));
      compared += 2;
    }
  }
  counted('24', compared, 159);
});

test('vector 27: the normal form for CI, with its options', () => {
  const cases = fixture<
    readonly {
      case: string;
      input: Json;
      output: Json;
      output_normalize_ids: Json;
      no_timestamps: Json;
      no_metadata: Json;
    }[]
  >('27-ci-normalize/expected.json');
  for (const one of cases) {
    const before = pythonJson(one.input);
    expectSame(ciNormalise(one.input), one.output);
    expectSame(ciNormalise(one.input, { ids: true }), one.output_normalize_ids);
    expectSame(ciNormalise(one.input, { timestamps: false }), one.no_timestamps);
    expectSame(ciNormalise(one.input, { metadata: false }), one.no_metadata);
    expect(pythonJson(one.input)).toBe(before);
  }
  counted('27', cases.length * 4, 32);
});

test('vector 11: the CI diff of two exports, as text and JSON', () => {
  const read = (name: string): Json => fixture<Json & object>(`11-db-tracer-1.0/${name}.run.json`);
  const [text, json] = fixture<readonly { stdout: string }[]>('11-db-tracer-1.0/expected-ci-diff.json');
  const diff = ciDiff(read('trace-a'), read('trace-b'));
  expect(ciDiffText(diff)).toBe(text?.stdout);
  expect(ciDiffJson(diff)).toBe(json?.stdout);
  expect(ciDiff(read('trace-a'), read('trace-a')).identical).toBe(true);
});
