import type { Issue } from '@pchronicle/storyline-core';
import type { ValidateOptions } from '../commands/validate.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { type Failure, failureIssue } from '../failure.ts';
import { issueJson } from '../issues/json.ts';
import { tallyLines } from '../issues/lines.ts';
import { countsInWords, createTally, type IssueTally } from '../issues/tally.ts';
import { eachInput, findInputs, type ReadableInput } from '../read/each-input.ts';
import { importEvents } from '../read/import-events.ts';
import { countOf } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

// Enough for a person to read; scripts take --json or --jsonl, which leave nothing out.
const SHOWN_OF_EACH_CODE = 1_000;

/** Reports every issue of the inputs; exit 1 when there is an error, 3 when an input is unreadable or unknown. */
export async function validate(
  arguments_: readonly string[],
  options: ValidateOptions,
  context: Context,
): Promise<void> {
  const total = createTally(0);
  const output = outputOf(options, context);
  await output.start();
  const refuse = async (failure: Failure): Promise<void> => {
    total.add(failureIssue(failure));
    await output.refuse(failure);
  };
  const list = await findInputs(arguments_, options, context, refuse);
  const progress = createProgress(context.notes, { label: 'validating', total: list.bytes, unit: 'bytes' });
  let before = 0;
  let records = 0;
  try {
    for await (const input of eachInput(list, options, context, refuse)) {
      await output.file(input);
      let inFile = 0;
      const onBytes = (bytes: number): void => progress.update(before + bytes, countOf(records, 'record'));
      for await (const event of importEvents(input, { ...options, onBytes }, context)) {
        if (event.type === 'issue') {
          total.add(event.issue);
          await output.issue(event.issue);
        } else if (event.type === 'end') {
          inFile += 1;
          records += 1;
        }
      }
      before += input.input.size;
      progress.stop();
      await output.end(inFile);
    }
  } finally {
    progress.stop();
  }
  await output.finish(total);
  if (total.counts.errors > 0) context.mark(EXIT.findings);
}

// Three ways to say the same, each written as the files are read.
interface ValidateOutput {
  start(): Promise<void>;
  /** An input that cannot be read or is in no known format. */
  refuse(failure: Failure): Promise<void>;
  file(input: ReadableInput): Promise<void>;
  issue(issue: Issue): Promise<void>;
  end(records: number): Promise<void>;
  finish(total: IssueTally): Promise<void>;
}

function outputOf(options: ValidateOptions, context: Context): ValidateOutput {
  if (options.json === true) return jsonOutput(context);
  return options.jsonl === true ? jsonLinesOutput(context) : textOutput(context);
}

function jsonOutput({ stdout }: Context): ValidateOutput {
  let files = 0;
  let issues = 0;
  return {
    start: () => stdout.writeJson('{"files":['),
    async refuse(failure) {
      const file = safeJson(JSON.stringify(failure.source ?? null));
      const issue = issueJson(failureIssue(failure));
      const entry = `{"file":${file},"format":null,"issues":[${issue}],"records":0}`;
      await stdout.writeJson(`${files++ === 0 ? '' : ','}${entry}`);
    },
    async file({ input, format, parts }) {
      issues = 0;
      const joined = parts === undefined ? {} : { files: parts.map(({ shown }) => shown) };
      const named = safeJson(JSON.stringify({ file: input.shown, ...joined, format: format.id })).slice(
        0,
        -1,
      );
      await stdout.writeJson(`${files++ === 0 ? '' : ','}${named},"issues":[`);
    },
    issue: (issue) => stdout.writeJson(`${issues++ === 0 ? '' : ','}${issueJson(issue)}`),
    end: (records) => stdout.writeJson(`],"records":${records}}`),
    finish: (total) => stdout.writeJson(`],"summary":${JSON.stringify(total.counts)}}\n`),
  };
}

function jsonLinesOutput({ stdout }: Context): ValidateOutput {
  return {
    start: async () => {},
    refuse: (failure) => stdout.writeJson(`${issueJson(failureIssue(failure))}\n`),
    file: async () => {},
    issue: (issue) => stdout.writeJson(`${issueJson(issue)}\n`),
    end: async () => {},
    finish: async () => {},
  };
}

function textOutput({ stdout, style, notes }: Context): ValidateOutput {
  let tally = createTally(SHOWN_OF_EACH_CODE);
  let current: ReadableInput | undefined;
  return {
    start: async () => {},
    refuse: async (failure) => notes.fail(failure),
    async file(input) {
      tally = createTally(SHOWN_OF_EACH_CODE);
      current = input;
    },
    issue: async (issue) => tally.add(issue),
    async end(records) {
      for (const line of tallyLines(tally, style)) await stdout.write(`${line}\n`);
      const verdict = countsInWords(tally.counts);
      const mark = tally.counts.errors > 0 ? style.error('✗') : style.good('✓');
      const others = (current?.parts?.length ?? 1) - 1;
      const file = safeLine(`${current?.input.shown ?? ''}${others === 0 ? '' : ` and ${others} more`}`);
      await stdout.write(
        `${mark} ${file}: ${current?.format.id}, ${countOf(records, 'record')}, ${verdict}\n`,
      );
    },
    finish: async () => {},
  };
}
