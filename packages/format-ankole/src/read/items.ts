import {
  appendPointer,
  compareNumbers,
  equalJson,
  getOwn,
  isInteger,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  residuals,
  STORYLINE_VERSION,
  type Storyline,
} from '@pchronicle/storyline-core';
import { ITEM_ROW_KEYS, SOURCE } from '../keys.ts';
import { packRanges } from '../layout/ranges.ts';
import { isEmpty } from '../members.ts';
import { startTally, type Tally } from '../tally.ts';
import { rowTime } from '../times.ts';
import { finishStoryline } from './finish.ts';
import type { Group, GroupContext, Part } from './parts.ts';
import { noteSourceLosses } from './source-losses.ts';
import { type ItemDraft, readThreadItem } from './thread-item.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of the rows of one job turn, in the order of their positions; `undefined` after an error. */
export function readItems(
  group: Group,
  { own, places, source, report }: GroupContext,
): Storyline | undefined {
  if (!group.parts.map((part) => checkRow(part, report)).every(Boolean)) return undefined;
  const found = startTally();
  const session = group.key.slice(2);
  const documentId = source === '' ? session : source;
  const residual = residuals(SOURCE, documentId);
  const { rows, positions } = orderRows(group.parts, found);
  const drafts = rows.map(({ value, pointer }) => {
    const item = getOwn(value, 'item') ?? null;
    const at = appendPointer(pointer, 'item');
    const draft = readThreadItem(item, at, found);
    noteSourceLosses(item, at, found);
    noteItem(draft, at, found);
    draft.turn.env = { request_id: session, state: { item: getOwn(value, 'position') ?? null } };
    addRow(draft, value, pointer, residual.add);
    return draft;
  });
  const turns = finishTurns(drafts, residual, found);
  found.tell(report);
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    agent: { id: SOURCE },
    origin: { format: SOURCE, document_id: documentId },
    turns,
  };
  const isInOrder = positions.length === rows.length && positions.every((row, index) => row === index);
  const layout = {
    ...places,
    parts: [isInOrder ? 'items' : ['items', packRanges(positions)]],
  };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}

function checkRow({ value, pointer }: Part, report: Report): boolean {
  const position = getOwn(value, 'position');
  const isPosition = isInteger(position) && compareNumbers(position, 0) >= 0;
  if (!isPosition)
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, 'position'),
      'position of a turn item is not an integer from 0 on',
    );
  const isItem = isJsonObject(getOwn(value, 'item'));
  if (!isItem)
    report(
      'error',
      'ankole/row-shape',
      appendPointer(pointer, 'item'),
      'item of a turn item is not an object',
    );
  return isPosition && isItem;
}

/** Rows by position, each once; another row at a known position is kept behind the first, with a warning. */
function orderRows(
  parts: readonly Part[],
  found: Tally,
): { readonly rows: readonly Part[]; readonly positions: readonly number[] } {
  const positionOf = (part: Part) => getOwn(part.value, 'position') as number;
  const sorted = parts
    .map((part, index) => ({ part, index }))
    .sort((a, b) => compareNumbers(positionOf(a.part), positionOf(b.part)) || a.index - b.index);
  const rows: Part[] = [];
  const places = new Map<Part, number>();
  const keys = new Set<Json>();
  for (const { part } of sorted) {
    const last = rows.at(-1);
    const isSamePlace = last !== undefined && compareNumbers(positionOf(last), positionOf(part)) === 0;
    if (last !== undefined && isSamePlace && equalJson(last.value, part.value)) {
      places.set(part, rows.length - 1);
      continue;
    }
    const key = getOwn(part.value, 'item_key') ?? null;
    if (isSamePlace || (key !== null && keys.has(key)))
      found.add(
        'warning',
        'ankole/conflicting-items',
        part.pointer,
        'another item has this position or key already; both are kept',
      );
    keys.add(key);
    places.set(part, rows.length);
    rows.push(part);
  }
  return { rows, positions: parts.map((part) => places.get(part) ?? 0) };
}

function noteItem({ turn, truncated, projected }: ItemDraft, pointer: string, found: Tally): void {
  if (truncated)
    found.add(
      'warning',
      'ankole/oversize-item',
      pointer,
      'arguments or a result of more than 65,536 bytes are shown to a model as a preview; the item is kept whole',
    );
  if (turn.kind !== 'internal') return;
  if (projected > 0)
    found.add(
      'warning',
      'ankole/item-without-id',
      pointer,
      'the tool item has no id, so its messages are not canonical; it is kept in an internal turn',
    );
  else
    found.add(
      'info',
      'ankole/item-without-message',
      pointer,
      'the item projects to no message; it is kept in an internal turn',
    );
}

/** Puts on the turn what its row says besides the item. */
function addRow(
  { turn }: ItemDraft,
  value: JsonObject,
  pointer: string,
  keep: (pointer: string, value: Json) => void,
): void {
  const row: MutableJsonObject = {};
  const inserted = rowTime(getOwn(value, 'inserted_at'));
  if (inserted !== undefined) turn.ts = inserted.text;
  for (const key of Object.keys(value)) {
    const member = value[key] as Json;
    if (!(ITEM_ROW_KEYS as readonly string[]).includes(key)) keep(appendPointer(pointer, key), member);
    else if (
      !['turn_id', 'position', 'item'].includes(key) &&
      !(key === 'inserted_at' && inserted?.isVerbatim === true)
    )
      row[key] = member;
  }
  if (isEmpty(row)) return;
  const extra = isJsonObject(turn.extra) ? turn.extra : {};
  turn.extra = { ...extra, row };
}
