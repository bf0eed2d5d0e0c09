import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { documentIdOf, type Storyline, type Turn } from '@pchronicle/storyline-core';
import type { ReadOptions } from '../commands/read-options.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { Failure } from '../failure.ts';
import { createIssueLog } from '../issues/log.ts';
import { eachInput, findInputs } from '../read/each-input.ts';
import { importEvents } from '../read/import-events.ts';
import { findOne } from '../store/find-one.ts';
import { withStore } from '../store/open.ts';

/** What reading a side takes of the options. */
interface SideOptions extends ReadOptions {
  readonly store: string;
  /** Also tells warnings and losses. */
  readonly tellsLosses?: boolean;
}

/** One trajectory of a side of a comparison. */
export interface Subject {
  /** What people know it by: document id, and the attempt where there is one. */
  readonly id: string;
  /** Where it came from, as the user named it. */
  readonly from: string;
  /** Its turns from `skipped` on. */
  readonly storyline: Storyline;
  /** Turns before those of `storyline`, known to be equal on both sides and not read; 0 unless {@link readTails} was used. */
  readonly skipped: number;
  /** Codes of what reading its file told, besides mere information. */
  readonly told?: ReadonlySet<string>;
}

/** The turn at a position; `undefined` past the end and for skipped ones. */
export function turnAt({ storyline, skipped }: Subject, at: number): Turn | undefined {
  return storyline.turns[at - skipped];
}

/** All its turns, the skipped ones too. */
export function turnCount({ storyline, skipped }: Subject): number {
  return skipped + storyline.turns.length;
}

/** All trajectories that an argument names: of a file or folder (`FILE#ID` picks one), or one of the store. */
export async function readSide(
  argument: string,
  options: SideOptions,
  context: Context,
): Promise<readonly Subject[]> {
  const { path, pick } = splitArgument(argument, context);
  if (path === undefined) return [await fromStore(argument, options, context)];
  const subjects = await fromFiles([path], options, context);
  if (pick === undefined) return subjects;
  const found = subjects.filter(({ id, storyline }) =>
    [id, documentIdOf(storyline), storyline.session, storyline.attempt_id].includes(pick),
  );
  if (found.length === 0) throw noSuch(path, pick, subjects);
  return found;
}

/** The one trajectory that an argument names; several are a usage error that lists them. */
export async function readOne(argument: string, options: SideOptions, context: Context): Promise<Subject> {
  return onlyOne(await readSide(argument, options, context), argument);
}

/** The one trajectory of several files, parts of which stand in each: pages of one conversation. */
export async function readJoined(
  paths: readonly string[],
  options: SideOptions,
  context: Context,
): Promise<Subject> {
  return onlyOne(await fromFiles(paths, options, context), paths.join(' '));
}

function onlyOne(subjects: readonly Subject[], argument: string): Subject {
  const [first, second] = subjects;
  if (first === undefined) {
    throw new Failure(EXIT.input, 'cli/nothing-to-compare', 'it holds no trajectory that could be read', {
      source: argument,
    });
  }
  if (second === undefined) return first;
  throw new Failure(
    EXIT.usage,
    'cli/several-trajectories',
    `it holds ${subjects.length} trajectories; say which with FILE#ID`,
    {
      source: argument,
      details: listed(subjects),
    },
  );
}

/** Takes FILE#ID apart: a name with `#` may be a file of that very name; no path means an id of the store. */
export function splitArgument(argument: string, { cwd }: Context): { path?: string; pick?: string } {
  const isInput = (text: string) => text === '-' || existsSync(resolve(cwd, text));
  if (isInput(argument)) return { path: argument };
  for (let hash = argument.indexOf('#'); hash !== -1; hash = argument.indexOf('#', hash + 1)) {
    const path = argument.slice(0, hash);
    if (path !== '' && isInput(path)) return { path, pick: argument.slice(hash + 1) };
  }
  // What looks like a path is meant as one: the reading code says that it is missing.
  return /[/\\*]|\.(json|jsonl|ndjson|db)$/.test(argument) ? { path: argument } : {};
}

async function fromFiles(
  paths: readonly string[],
  options: SideOptions,
  context: Context,
): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  const log = createIssueLog(context.notes);
  // A comparison without one of its inputs would be about something else.
  const refuse = (failure: Failure): never => {
    throw failure;
  };
  const list = await findInputs(paths, options, context, refuse);
  for await (const input of eachInput(list, options, context, refuse)) {
    let pending: Subject[] = [];
    const told = new Set<string>();
    for await (const event of importEvents(input, options, context)) {
      if (event.type === 'storyline') {
        const { storyline } = event;
        pending.push({ id: subjectId(storyline), from: input.input.shown, storyline, skipped: 0, told });
      } else if (event.type === 'issue') {
        const { severity, code } = event.issue;
        if (severity !== 'info') told.add(code);
        if (severity === 'error' || (options.tellsLosses === true && severity !== 'info'))
          log.add(event.issue);
      } else if (event.type === 'end') {
        if (event.accepted) subjects.push(...pending);
        else context.mark(EXIT.findings);
        pending = [];
      }
    }
  }
  log.print();
  return subjects;
}

async function fromStore(id: string, options: SideOptions, context: Context): Promise<Subject> {
  let subject: Subject | undefined;
  await withStore(options.store, context, async (store) => {
    const run = await findOne(store, id);
    const storyline = await store.read(run.documentKey);
    subject = { id: subjectId(storyline), from: `${run.documentKey} in ${store.uri}`, storyline, skipped: 0 };
  });
  if (subject === undefined) throw new Error('the store gave no trajectory'); // findOne fails where there is none
  return subject;
}

/** What people know a trajectory by. */
export function subjectId(storyline: Storyline): string {
  const id = documentIdOf(storyline);
  const attempt = storyline.attempt_id;
  return attempt === undefined || id.endsWith(`#attempt-${attempt}`) ? id : `${id}#attempt-${attempt}`;
}

function noSuch(path: string, pick: string, subjects: readonly Subject[]): Failure {
  return new Failure(EXIT.usage, 'cli/no-such-trajectory', `it holds no trajectory ${JSON.stringify(pick)}`, {
    source: path,
    details: listed(subjects),
  });
}

function listed(subjects: readonly Subject[]): readonly string[] {
  const shown = subjects.slice(0, 20).map(({ id, storyline }) => `${id}  (${storyline.turns.length} turns)`);
  return subjects.length > 20 ? [...shown, `… and ${subjects.length - 20} more`] : shown;
}
