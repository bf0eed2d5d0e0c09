import type { DrivenFormat, Writer } from '../format.ts';
import { collectIssues, type Issue } from '../issue.ts';
import { validateStoryline } from '../storyline/validate.ts';
import { headOf, type Storyline, type StorylineHead } from '../storyline.ts';
import type { WrittenContainer } from './choose-container.ts';

/** One output document before it is written: which Storylines it holds, in the order in which they will be written. */
export interface PlannedDocument {
  readonly ordinal: number;
  /** What the writer grouped by. */
  readonly group: string;
  /** Positions in the selection. */
  readonly indexes: readonly number[];
  readonly heads: readonly StorylineHead[];
  /** What is wrong with its head, for a Storyline that cannot be grouped: it makes a document of its own, which fails. */
  readonly faults: readonly Issue[];
}

/** A format's writer; throws where there is none, since callers look first (presence is capability). */
export function writerOf(format: DrivenFormat): Writer<unknown> {
  if (format.writer === undefined) throw new TypeError(`the format ${format.id} has no writer`);
  return format.writer;
}

interface Group {
  readonly group: string;
  readonly indexes: number[];
  readonly heads: Map<number, StorylineHead>;
  readonly faults: readonly Issue[];
}

/** Gathers heads into documents as they come, for the container that is known to be written. Heads are checked before a writer sees them. */
export function documentPlanner(
  format: DrivenFormat,
  container?: WrittenContainer,
): {
  add(head: StorylineHead, source?: string): void;
  documents(): readonly PlannedDocument[];
} {
  const writer = writerOf(format);
  const groups: Group[] = [];
  const byKey = new Map<string, Group>();
  let count = 0;
  const start = (group: string, faults: readonly Issue[]): Group => {
    const started: Group = { group, indexes: [], heads: new Map(), faults };
    groups.push(started);
    if (faults.length === 0) byKey.set(group, started);
    return started;
  };
  return {
    add(head, source) {
      const { report, issues } = collectIssues({ record: count + 1 });
      const valid = validateStoryline({ ...head, turns: [] } satisfies Storyline, report);
      const key = valid === undefined ? '' : writer.group(headOf(valid), count, source, container);
      const group = valid === undefined ? start(key, issues) : (byKey.get(key) ?? start(key, []));
      group.indexes.push(count);
      group.heads.set(count, valid === undefined ? head : headOf(valid));
      count += 1;
    },
    documents() {
      return groups.map(({ group, indexes, heads, faults }, ordinal) => {
        const headAt = (index: number): StorylineHead => heads.get(index) as StorylineHead;
        const order = [...indexes];
        if (writer.compare !== undefined) {
          const compare = writer.compare.bind(writer);
          order.sort((left, right) => compare(headAt(left), headAt(right)) || left - right);
        }
        return { ordinal, group, indexes: order, heads: order.map(headAt), faults };
      });
    },
  };
}
