import { gatherGroups } from '../containers/gather-groups.ts';
import { readTells } from '../containers/group-keys.ts';
import { compareOrder, describeRowsTooLarge, readGroupKey } from '../containers/row-order.ts';
import type { SourceRecord } from '../format.ts';
import { appendPointer, parseArrayIndex, parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/value.ts';
import type { RowsContainer } from './choose-container.ts';
import {
  beginDocument,
  collectIssuesAt,
  type DocumentRun,
  type FindExtent,
  startDocument,
} from './document-run.ts';
import type { Envelope } from './import-record.ts';
import { importRowGroup } from './import-row-group.ts';
import { placeIn } from './import-run.ts';
import { type MemoryValue, memoryValue } from './memory-input.ts';
import { endInMemory, keepIssues, type MemoryRun } from './memory-run.ts';
import { readRowsFrame } from './read-frame.ts';
import { reportNoObject, takeApart } from './read-value.ts';
import { judgeRecord, reportUnbound, reportUnmetCarriers, startVerdict } from './verdict.ts';

/** A row with its position. */
interface Row {
  readonly index: number;
  readonly value: MemoryValue;
  readonly pointer: string;
}

/** What the rows of a file share. */
interface Shared {
  readonly root: JsonObject;
  readonly envelope: Envelope | undefined;
}

/** Imports the rows that stand in a member of one object. */
export function importMemberRows(run: MemoryRun, container: RowsContainer, whole: MemoryValue): void {
  const { start, end } = whole.item;
  const findExtent: FindExtent = () =>
    start === undefined || end === undefined ? undefined : { pointer: '', start, end };
  const issues = collectIssuesAt(run, start === undefined ? {} : { offset: start });
  const value = whole.read(issues, '');
  if (value !== undefined && !isJsonObject(value)) reportNoObject(run, issues);
  const { root, records, envelope } = takeApart(run, issues, value ?? null, container.member, isJsonArray);
  const held = isJsonArray(records) ? records : [];
  const rows = held.map((row) => memoryValue(row, {}));
  importGroups(run, container, rows, issues, { root, envelope }, findExtent);
}

/** Imports rows that stand in an array or in lines. */
export function importMemoryRows(
  run: MemoryRun,
  container: RowsContainer,
  values: readonly MemoryValue[],
): void {
  const findExtent: FindExtent = (pointer) => {
    const [member, token = ''] = parsePointer(pointer) ?? [];
    const index = member === container.member ? parseArrayIndex(token) : undefined;
    const { start, end } = (index === undefined ? undefined : values[index]?.item) ?? {};
    if (index === undefined || start === undefined || end === undefined) return undefined;
    return { pointer: appendPointer('', container.member, index), start, end, record: index + 1 };
  };
  importGroups(run, container, values, collectIssuesAt(run), { root: {}, envelope: undefined }, findExtent);
}

/** Imports rows by group: each group is a document, its rows handed over in ascending order. An error in what they share rejects all. */
function importGroups(
  run: MemoryRun,
  container: RowsContainer,
  values: readonly MemoryValue[],
  shared: DocumentRun,
  { root, envelope }: Shared,
  findExtent: FindExtent,
): void {
  const rows = values.map(
    (value, index): Row => ({ index, value, pointer: appendPointer('', container.member, index) }),
  );
  const groups = groupRows(rows, container);
  if (run.reader.carriers === undefined) {
    const met = new Set(rows.map(({ pointer }) => pointer));
    for (const carrier of envelope?.carriers.keys() ?? [])
      if (!met.has(carrier)) reportUnbound(shared, carrier);
  }
  const frame =
    shared.errors() > 0 ? undefined : readRowsFrame(run, shared, container.in, groups, rows.length, root);
  if (frame === undefined) {
    endInMemory(run, beginDocument(run, shared), { ...startVerdict(true), broken: true }, [], findExtent);
    return;
  }
  keepIssues(run, shared, findExtent);
  for (const group of groups) importGroup(run, container, group, frame.value, envelope, findExtent);
  reportUnmetCarriers(envelope, shared);
  keepIssues(run, shared, findExtent);
}

interface Group {
  readonly key: string | undefined;
  readonly rows: Row[];
}

/** Groups in order of first appearance. */
function groupRows(rows: readonly Row[], container: RowsContainer): readonly Group[] {
  const gatherer = gatherGroups();
  const numbers = rows.map(({ value }) => gatherer.add(readTells(container, value.scalar, value.has)));
  const { keys, places } = gatherer.settle();
  const groups = keys.map((key): Group => ({ key, rows: [] }));
  rows.forEach((row, at) => {
    groups[places[numbers[at] as number] as number]?.rows.push(row);
  });
  return groups;
}

function importGroup(
  run: MemoryRun,
  container: RowsContainer,
  { key, rows }: Group,
  frame: unknown,
  envelope: Envelope | undefined,
  findExtent: FindExtent,
): void {
  const [first] = rows as [Row];
  const placeOf = ({ index, value: { item } }: Row) => ({
    ...(container.in === 'member' ? {} : { record: index + 1 }),
    ...(item.start === undefined ? {} : { offset: item.start }),
  });
  const issues = startDocument(run, placeOf(first), key);
  const at = placeIn(run, { ...placeOf(first), pointer: first.pointer });
  const order = new Map(
    rows.map((row) => [row, container.order.map((name) => orderKey(row.value.scalar(name)))]),
  );
  rows.sort(
    (left, right) => compareOrder(order.get(left) ?? [], order.get(right) ?? []) || left.index - right.index,
  );
  const recordOf = (some: readonly Row[], to: DocumentRun): SourceRecord<unknown> => ({
    frame,
    source: run.name,
    at: { ...at, pointer: (some[0] ?? first).pointer },
    ...(key === undefined ? {} : { key }),
    *values() {
      for (const row of some) {
        const value = row.value.read(to, row.pointer);
        if (value !== undefined)
          yield { value, index: row.index, at: placeIn(run, { ...placeOf(row), pointer: row.pointer }) };
      }
    },
  });
  const verdict = startVerdict(true);
  const size = rows.reduce((sum, { value: { item } }) => sum + (item.end ?? 0) - (item.start ?? 0), 0);
  if (size > run.limits.recordBytes) {
    issues.report('error', 'core/value-too-large', first.pointer, describeRowsTooLarge(size, run.limits));
  }
  const built =
    size > run.limits.recordBytes
      ? undefined
      : importRowGroup(run, issues, { rows, pointerOf: ({ pointer }) => pointer, recordOf }, envelope);
  const good = judgeRecord(run, issues, verdict, built, first.pointer);
  endInMemory(
    run,
    issues,
    verdict,
    good.map(({ storyline }) => storyline),
    findExtent,
  );
}

/** What can order rows: a text or a number. */
function orderKey(value: Json | undefined): Json {
  return value !== undefined && readGroupKey(value) !== undefined ? value : null;
}
