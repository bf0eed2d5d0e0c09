import { type Command, InvalidArgumentError } from 'commander';
import { type CompareOptions, withCompareOptions } from './compare-options.ts';
import { define, jsonOption, type Start } from './define.ts';

/** What can make a check fail: a class of divergence, a difference outside the turns, or anything. */
export const FINDINGS = ['any', 'missing', 'extra', 'operation', 'input', 'error', 'output', 'head'] as const;

/** One of {@link FINDINGS}. */
export type Finding = (typeof FINDINGS)[number];

/** Options of `check`. */
export interface CheckOptions extends CompareOptions {
  readonly failOn: readonly Finding[];
  readonly json?: boolean;
  readonly junit?: string;
  readonly overwrite?: boolean;
}

/** `pchronicle check`. */
export function checkCommand(start: Start): Command {
  const command = define('check', 'compare all trajectories with a baseline, as a gate for CI', [
    'check baseline.json current.json',
    'check baseline/ current/ --ignore /turns/*/metrics --junit report.xml',
    'check baseline.json current.json --fail-on operation,error,missing,extra',
  ])
    .argument('<baseline>', 'file or folder of any format, or an id of the store')
    .argument('<current>', 'what is to agree with it')
    .option('--fail-on <findings>', `what fails, comma separated: ${FINDINGS.join(', ')}`, parseFindings, [
      'any',
    ])
    .option('--junit <file>', 'also write a JUnit report')
    .option('--overwrite', 'replace the report if it is there')
    .addOption(jsonOption('print {"passed","failed","trajectories":[{"id","verdict",…}]}'));
  return withCompareOptions(command).action(
    (baseline: string, current: string, options: CheckOptions, self: Command) =>
      start(self, async (context) =>
        (await import('../work/check.ts')).check(baseline, current, options, context),
      ),
  );
}

function parseFindings(text: string): readonly Finding[] {
  return text.split(',').map((name) => {
    const found = FINDINGS.find((finding) => finding === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`It must be of ${FINDINGS.join(', ')}.`);
    return found;
  });
}
