import type { StoreContext } from '../context.ts';
import { scan, take } from '../lance/scan.ts';
import type { Snapshot } from '../snapshot.ts';
import type { VerifyFault } from './check-unit.ts';
import { fragmentFiles } from './fragment-files.ts';
import { fragmentSpans } from './fragments.ts';
import type { LiveIngests } from './live-ingests.ts';
import type { Span } from './plan-units.ts';
import { isUnreadable, type StoreDamage } from './readable-spans.ts';
import type { RowSpans } from './row-spans.ts';

/** Values that are not what they were, by what is said of them; what is missing lies in no file that is there. */
const WRONG = /^(steps|tool_calls) row \d+: the column|the column \w+ of (steps|tool_calls) holds/;
const OTHER_CONTENT = /^its content hash is /;
/** Cells of calls that are made of what steps say: where they differ from that and the content is another, the steps changed. */
const OF_STEPS = /^tool_calls row \d+: the column (step_id|results_json|has_result|failed) /;
/** The text of a call is that of both, so it differs then, too. */
const OF_BOTH = /^tool_calls row \d+: the column search_text /;

/** The data files in which rows of Storylines with faults lie that come back otherwise than they were written, or not at all. */
export async function hitFiles(
  context: StoreContext,
  snapshot: Snapshot,
  faults: readonly VerifyFault[],
  /** The keys of Storylines whose rows could not be read. */
  unread: ReadonlySet<string>,
  ingests: LiveIngests,
  spans: { readonly [name in 'steps' | 'tool_calls']: RowSpans },
): Promise<StoreDamage[]> {
  const wrong = { steps: new Set<string>(), tool_calls: new Set<string>() };
  const keysOf = (pattern: RegExp): ReadonlySet<string> =>
    new Set(faults.flatMap(({ documentKey, message }) => (pattern.test(message) ? [documentKey] : [])));
  const changed = keysOf(OTHER_CONTENT);
  const repeated = keysOf(OF_STEPS);
  for (const { documentKey, message } of faults) {
    const isOfSteps =
      changed.has(documentKey) &&
      (OF_STEPS.test(message) || (OF_BOTH.test(message) && repeated.has(documentKey)));
    const [, row, column] = WRONG.exec(message) ?? [];
    const name = isOfSteps ? 'steps' : (row ?? column);
    if (name === 'steps' || name === 'tool_calls') wrong[name].add(documentKey);
  }
  const damage: StoreDamage[] = [];
  for (const name of ['steps', 'tool_calls'] as const) {
    if (wrong[name].size + unread.size === 0) continue;
    const files = await fragmentFiles(context, name, snapshot.versions[name]);
    if (files.size === 0) continue;
    const fragments = await fragmentSpans(snapshot.tables[name]);
    const hit = new Map<bigint, number>();
    const columns = context.columns[name].map((column) => column.name);
    for (let number = 0; number < ingests.length; number += 1) {
      const { key, ...rows } = ingests.at(number);
      const first = spans[name].first[number] ?? -1;
      // Where rows are missing, what is there differs because of them.
      const whole =
        (spans.steps.count[number] ?? 0) >= rows.steps && (spans.tool_calls.count[number] ?? 0) >= rows.calls;
      const isWrong = whole && wrong[name].has(key);
      if (first === -1 || !(isWrong || unread.has(key))) continue;
      const end = (spans[name].last[number] ?? first) + 1;
      for (const { fragment, ...its } of fragments) {
        const own = { start: Math.max(first, its.start), end: Math.min(end, its.end) };
        if (own.start >= own.end) continue;
        if (isWrong || !(await isReadable(snapshot, name, columns, own)))
          hit.set(fragment, (hit.get(fragment) ?? 0) + 1);
      }
    }
    for (const [fragment, count] of hit) {
      const file = files.get(fragment)?.join(', ');
      if (file === undefined) continue;
      const whose = count === 1 ? 'a trajectory' : `${count} trajectories`;
      const message = `the file ${file} holds rows of ${whose} that cannot be read, or are not as they were written`;
      damage.push({ table: name, message, file });
    }
  }
  return [...(await hitFilesOfRuns(context, snapshot, unread, ingests)), ...damage];
}

/** The same of `runs`, of which one page may hold a value of every Storyline: one that cannot be read is enough. */
async function hitFilesOfRuns(
  context: StoreContext,
  snapshot: Snapshot,
  unread: ReadonlySet<string>,
  ingests: LiveIngests,
): Promise<StoreDamage[]> {
  const found = new Map<string, StoreDamage>();
  if (unread.size === 0) return [];
  const files = await fragmentFiles(context, 'runs', snapshot.versions.runs);
  const columns = context.columns.runs.map((column) => column.name);
  for (let number = 0; number < ingests.length; number += 1) {
    const { key, rowId } = ingests.at(number);
    const file = files.get(rowId >> 32n)?.join(', ');
    if (file === undefined || found.has(file) || !unread.has(key)) continue;
    try {
      for await (const _ of take(snapshot.tables.runs, [rowId], { columns }));
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      const message = `the file ${file} holds rows that cannot be read`;
      found.set(file, { table: 'runs', message, file });
    }
  }
  return [...found.values()];
}

async function isReadable(
  { tables }: Snapshot,
  name: 'steps' | 'tool_calls',
  columns: readonly string[],
  { start, end }: Span,
): Promise<boolean> {
  try {
    for await (const _ of scan(tables[name], { columns, offset: start, limit: end - start, batchRows: 256 }));
    return true;
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    return false;
  }
}
