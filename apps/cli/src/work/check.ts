import { basename, resolve } from 'node:path';
import type { CheckOptions, Finding } from '../commands/check.ts';
import { compareSubjects } from '../compare/compare-subjects.ts';
import { type CheckedTrajectory, junitReport } from '../compare/junit.ts';
import { pairSubjects, type SubjectPair } from '../compare/pair-subjects.ts';
import { readSide } from '../compare/read-side.ts';
import { changeLines } from '../compare/render-changes.ts';
import { verdict } from '../compare/verdict.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { fileTarget } from '../io/file-target.ts';
import { refuseExisting } from '../io/settle-output.ts';
import { countOf } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';
import { createStyle } from '../terminal/style.ts';

interface Checked extends CheckedTrajectory {
  readonly status: 'equal' | 'differs' | 'missing' | 'extra';
  readonly findings: readonly Finding[];
}

/** Compares every trajectory of a baseline with the current one of the same id: one line each, exit 1 when one fails. */
export async function check(
  baselineName: string,
  currentName: string,
  options: CheckOptions,
  context: Context,
): Promise<void> {
  const report = options.junit === undefined ? undefined : resolve(context.cwd, options.junit);
  const target =
    report === undefined
      ? undefined
      : await fileTarget(report, { overwrite: options.overwrite === true, shown: options.junit ?? '' });
  try {
    const baseline = await readSide(baselineName, options, context);
    const current = await readSide(currentName, options, context);
    if (report !== undefined)
      await refuseExisting(report, { overwrite: options.overwrite === true, shown: options.junit ?? '' });
    if (baseline.length === 0 || current.length === 0) {
      const source = baseline.length === 0 ? baselineName : currentName;
      throw new Failure(EXIT.input, 'cli/nothing-to-compare', 'it holds no trajectory that could be read', {
        source,
      });
    }
    const checked: Checked[] = [];
    for (const pair of pairSubjects(baseline, current)) {
      context.interrupt.check();
      const one = checkPair(pair, options);
      checked.push(one);
      if (options.json !== true) await context.stdout.write(`${line(one, context)}\n`);
    }
    const failed = checked.filter((one) => one.failed).length;
    if (failed > 0) context.mark(EXIT.findings);
    if (options.json === true) await context.stdout.writeJson(`${asJson(checked, failed)}\n`);
    else
      context.notes.say(
        `${countOf(checked.length - failed, 'trajectory', 'trajectories')} passed, ${failed} failed`,
      );
    if (target !== undefined) {
      for (const piece of junitReport(basename(baselineName), checked)) await target.write(piece);
      await target.commit();
    }
  } finally {
    await target?.abort();
  }
}

function checkPair({ id, baseline, current }: SubjectPair, options: CheckOptions): Checked {
  if (baseline === undefined || current === undefined) {
    const status = current === undefined ? 'missing' : 'extra';
    const sentence = status === 'missing' ? 'only in the baseline' : 'not in the baseline';
    return {
      id,
      status,
      findings: [status],
      failed: fails([status], options),
      verdict: sentence,
      details: [sentence],
    };
  }
  const diff = compareSubjects(baseline, current, options);
  const findings: Finding[] = diff.head.length > 0 ? ['head'] : [];
  for (const run of diff.alignment) {
    const finding = findingOf(run);
    if (finding !== undefined && !findings.includes(finding)) findings.push(finding);
  }
  const changes = diff.first?.changes ?? diff.head;
  return {
    id,
    status: diff.equal ? 'equal' : 'differs',
    findings,
    failed: fails(findings, options),
    verdict: verdict(diff),
    details: [verdict(diff), ...changeLines(changes, false, createStyle(false)).map((text) => text.slice(4))],
  };
}

function findingOf(run: { readonly kind: string; readonly class?: Finding }): Finding | undefined {
  if (run.kind === 'removed') return 'missing';
  if (run.kind === 'inserted') return 'extra';
  if (run.kind === 'moved') return 'operation';
  return run.kind === 'changed' ? run.class : undefined;
}

function fails(findings: readonly Finding[], { failOn }: CheckOptions): boolean {
  return failOn.includes('any') ? findings.length > 0 : findings.some((finding) => failOn.includes(finding));
}

function line(one: Checked, { style }: Context): string {
  const mark = one.failed ? style.error('✗') : one.status === 'equal' ? style.good('✓') : style.warning('~');
  return `${mark} ${safeLine(one.id)}: ${safeLine(one.verdict)}`;
}

function asJson(checked: readonly Checked[], failed: number): string {
  const trajectories = checked.map(({ id, status, failed: isFailed, findings, verdict: text }) => ({
    id,
    status,
    failed: isFailed,
    findings,
    verdict: text,
  }));
  return safeJson(JSON.stringify({ passed: checked.length - failed, failed, trajectories }));
}
