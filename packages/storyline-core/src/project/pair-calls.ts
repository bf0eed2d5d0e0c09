/** A call or a result, as the ledger sees it. A pair has the same scope, family and id. */
export interface LedgerEntry {
  readonly kind: 'call' | 'result';
  /** Who calls: a program's inner calls are a scope of their own. */
  readonly scope: string;
  /** Which kind of call; a result of another family does not answer. */
  readonly family: string;
  /** `undefined`: no usable id. */
  readonly id: string | undefined;
  /** The tool's name, where it is known; a result that names another tool does not answer. */
  readonly name?: string;
  /** Text that tells two entries of the same id apart. */
  readonly content: string;
  /** False: the call was never finished, so neither it nor its result counts. */
  readonly executable?: boolean;
  /** False: the entry is malformed. */
  readonly valid?: boolean;
}

/** What the ledger says of an entry; only `paired` and `unanswered` ones form a strict transcript. */
export type LedgerVerdict =
  | 'paired'
  | 'unanswered'
  | 'orphan-result'
  | 'early-result'
  | 'duplicate-result'
  | 'duplicate-call'
  | 'conflicting-call'
  | 'type-mismatch'
  | 'name-mismatch'
  | 'not-executable'
  | 'invalid';

/** An entry's verdict, and the position of the call or result it belongs with. */
export interface LedgerLine {
  verdict: LedgerVerdict;
  partner?: number;
}

/**
 * Pairs calls with results in one pass: a result answers a call that stands before it, the first result wins, the first call of an id
 * is the call. Lines stand in the order of the entries.
 */
export function pairCalls(entries: readonly LedgerEntry[]): readonly LedgerLine[] {
  const calls = new Map<string, number>();
  const later = new Set<string>();
  for (const entry of entries)
    if (entry.kind === 'call' && entry.id !== undefined && entry.valid !== false) later.add(keyOf(entry));
  const lines: LedgerLine[] = [];
  entries.forEach((entry, at) => {
    lines.push(
      entry.kind === 'call'
        ? judgeCall(entry, at, entries, calls)
        : judgeResult(entry, at, entries, lines, calls, later),
    );
  });
  return lines;
}

function keyOf({ scope, id }: LedgerEntry): string {
  return `${JSON.stringify(scope)}${id}`;
}

function judgeCall(
  entry: LedgerEntry,
  at: number,
  entries: readonly LedgerEntry[],
  calls: Map<string, number>,
): LedgerLine {
  if (entry.valid === false || entry.id === undefined) return { verdict: 'invalid' };
  const key = keyOf(entry);
  const before = calls.get(key);
  if (before !== undefined) {
    const same = entries[before]?.content === entry.content && entries[before]?.family === entry.family;
    return { verdict: same ? 'duplicate-call' : 'conflicting-call', partner: before };
  }
  calls.set(key, at);
  return { verdict: entry.executable === false ? 'not-executable' : 'unanswered' };
}

function judgeResult(
  entry: LedgerEntry,
  at: number,
  entries: readonly LedgerEntry[],
  lines: readonly LedgerLine[],
  calls: ReadonlyMap<string, number>,
  later: ReadonlySet<string>,
): LedgerLine {
  if (entry.valid === false || entry.id === undefined) return { verdict: 'invalid' };
  const partner = calls.get(keyOf(entry));
  if (partner === undefined) return { verdict: later.has(keyOf(entry)) ? 'early-result' : 'orphan-result' };
  const call = entries[partner];
  const line = lines[partner];
  if (call === undefined || line === undefined) return { verdict: 'orphan-result' };
  if (call.family !== entry.family) return { verdict: 'type-mismatch', partner };
  if (entry.name !== undefined && call.name !== undefined && entry.name !== call.name)
    return { verdict: 'name-mismatch', partner };
  if (line.verdict === 'not-executable') return { verdict: 'not-executable', partner };
  if (line.verdict === 'paired') return { verdict: 'duplicate-result', partner };
  line.verdict = 'paired';
  line.partner = at;
  return { verdict: 'paired', partner };
}
