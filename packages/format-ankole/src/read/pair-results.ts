import type { Draft, DraftCall, DraftResult } from './parts.ts';

/** Drafts that came of one stored row, and the row that it continues. */
export interface DraftRow {
  /** `undefined`: no row continues it. */
  readonly id: string | undefined;
  readonly previous: string | null;
  /** Only a complete row is part of what later rows continue. */
  readonly isComplete: boolean;
  readonly drafts: readonly Draft[];
}

/** Rows of a source without branches: each draft continues the one before. */
export function linearRows(drafts: readonly Draft[]): readonly DraftRow[] {
  return drafts.map((draft, at) => ({
    id: String(at),
    previous: at === 0 ? null : String(at - 1),
    isComplete: true,
    drafts: [draft],
  }));
}

/** Calls that share scope, family and id in one row, in order; how many of them have results. */
interface Asked {
  readonly row: number;
  readonly calls: DraftCall[];
  answered: number;
}

/** What `Asked` was before a row was entered. */
interface Before {
  readonly key: string;
  readonly asked: Asked | undefined;
  readonly calls: number;
  readonly answered: number;
}

/**
 * The call that each result answers: of its scope, family and id, in the nearest row on the result's own chain that has one, rows that are not
 * complete left out (notes §1.3, §1.5); of several in one row the first that has no result. Calls without an id (server tool search) are
 * answered first-in first-out. Each row is entered once.
 */
export function pairResults(rows: readonly DraftRow[]): ReadonlyMap<DraftResult, DraftCall> {
  const found = new Map<DraftResult, DraftCall>();
  const asked = new Map<string, Asked>();
  const log: Before[] = [];
  const positions = new Map<string, number>();
  rows.forEach(({ id }, at) => {
    if (id !== undefined) positions.set(id, at);
  });
  const children = rows.map((): number[] => []);
  const starts: number[] = [];
  rows.forEach(({ previous }, at) => {
    const parent = previous === null ? undefined : positions.get(previous);
    if (parent === undefined) starts.push(at);
    else children[parent]?.push(at);
  });
  const entered = new Set<number>();
  const walk = (start: number): void => {
    const path: { readonly row: number; readonly mark: number; next: number }[] = [];
    const enter = (row: number): void => {
      entered.add(row);
      const mark = log.length;
      for (const draft of rows[row]?.drafts ?? []) readDraft(draft, row, asked, log, found);
      if (rows[row]?.isComplete === false) undo(mark, asked, log);
      path.push({ row, mark, next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const child = children[top.row]?.[top.next];
      top.next += 1;
      if (child === undefined) {
        undo(top.mark, asked, log);
        path.pop();
      } else if (!entered.has(child)) enter(child);
    }
  };
  for (const start of starts) walk(start);
  // What is left are rows that continue each other in a circle: the earliest is taken for their start.
  rows.forEach((_, at) => {
    if (!entered.has(at)) walk(at);
  });
  return found;
}

function readDraft(
  { calls, results }: Draft,
  row: number,
  asked: Map<string, Asked>,
  log: Before[],
  found: Map<DraftResult, DraftCall>,
): void {
  for (const call of calls) {
    const key = keyOf(call);
    const known = asked.get(key);
    log.push({ key, asked: known, calls: known?.calls.length ?? 0, answered: known?.answered ?? 0 });
    if (known !== undefined && (known.row === row || call.literal === undefined)) known.calls.push(call);
    else asked.set(key, { row, calls: [call], answered: 0 });
  }
  for (const result of results) {
    const key = keyOf(result);
    const known = asked.get(key);
    if (known === undefined) continue;
    const isOpen = known.answered < known.calls.length;
    const call = isOpen ? known.calls[known.answered] : known.calls.at(-1);
    // A second result without an id is not known to be that of the last call.
    if (call === undefined || (!isOpen && result.literal === undefined)) continue;
    log.push({ key, asked: known, calls: known.calls.length, answered: known.answered });
    if (isOpen) known.answered += 1;
    found.set(result, call);
  }
}

function undo(mark: number, asked: Map<string, Asked>, log: Before[]): void {
  while (log.length > mark) {
    const before = log.pop();
    if (before === undefined) return;
    const { key, asked: known, calls, answered } = before;
    if (known === undefined) asked.delete(key);
    else {
      known.calls.length = calls;
      known.answered = answered;
      asked.set(key, known);
    }
  }
}

function keyOf({ scope, family, literal }: Pick<DraftCall, 'scope' | 'family' | 'literal'>): string {
  return JSON.stringify([scope, family, literal ?? null]);
}
