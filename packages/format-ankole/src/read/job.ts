import {
  appendPointer,
  compareText,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  residuals,
  STORYLINE_VERSION,
  type Storyline,
  type Task,
} from '@pchronicle/storyline-core';
import { JOB_KEYS, JOB_TURN_KEYS, SOURCE } from '../keys.ts';
import { filledText, isEmpty, objectIn, only, textOf, timeText, without } from '../members.ts';
import { startTally, type Tally } from '../tally.ts';
import { noteMessages } from './chatml.ts';
import { readMessages } from './chatml-messages.ts';
import { type PageCursor, tellCursors, unitNamedBy } from './cursors.ts';
import { finishStoryline } from './finish.ts';
import { type JoinedPages, type JoinedTurn, joinPages, type PieceRecipe } from './job-pages.ts';
import { blankTurn, type Draft, type Group, type GroupContext, type Part } from './parts.ts';
import { noteFlags, noteHeader } from './source-losses.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of a background job from its pages (decision K1); `undefined` after an error. */
export function readJob(group: Group, { own, places, source, report }: GroupContext): Storyline | undefined {
  const found = startTally();
  const joined = joinPages(group.parts, report, found);
  const newest = newestPage(group.parts);
  if (joined === undefined || newest === undefined) return undefined;
  const session = `job-${group.key.slice(2)}`;
  const documentId = source === '' ? session : source;
  const residual = residuals(SOURCE, documentId);
  tellCursors(
    group.parts.map((part) => cursorOf(part, joined)),
    found,
  );
  for (const part of group.parts) keepUnknown(part, residual.add);
  const drafts = joined.turns.flatMap((turn) => readTurn(turn, residual.add, found));
  const turns = finishTurns(drafts, residual, found);
  found.tell(report);
  const job = objectIn(newest.value, 'job');
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    ...headOf(job),
    origin: { format: SOURCE, document_id: documentId },
    meta: { job: without(only(job, JOB_KEYS), 'turns', 'turns_next_cursor') },
    turns,
  };
  const layout = {
    ...places,
    parts: group.parts.map((part) => recipeOf(part, joined, group.parts.length)),
  };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}

/** The page that says the newest about the job; the first of several. */
function newestPage(parts: readonly Part[]): Part | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const updated = ({ value }: Part): string => textOf(objectIn(value, 'job'), 'updated_at') ?? '';
  return others.reduce(
    (newest, part) => (compareText(updated(part), updated(newest)) > 0 ? part : newest),
    first,
  );
}

function cursorOf(part: Part, { oldest, recipes, turns }: JoinedPages): PageCursor {
  const job = objectIn(part.value, 'job');
  const cursor = getOwn(job, 'turns_next_cursor') ?? null;
  const named = unitNamedBy(cursor).turn;
  const held = recipes.get(part) ?? [];
  return {
    cursor,
    content: held.length === 0 ? '' : JSON.stringify(held),
    pointer: appendPointer(part.pointer, 'job', 'turns_next_cursor'),
    // Pages of before cursors were introduced have all turns.
    isEnd:
      part === oldest ||
      !Object.hasOwn(job, 'turns_next_cursor') ||
      isCopy(held, recipes.get(oldest ?? part)),
    isOwn: named === undefined ? undefined : held.some(([turn]) => turns[turn]?.id === named),
  };
}

/** Whether a page holds what another one does. */
function isCopy(left: PieceRecipe, right: PieceRecipe | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** What of a job has slots of its own; the job itself stays whole in `meta.job`. */
function headOf(
  job: JsonObject,
): Pick<Storyline, 'agent' | 'task' | 'parent' | 'started_at' | 'finished_at'> {
  const started = timeText(getOwn(job, 'started_at'));
  const finished = timeText(getOwn(job, 'completed_at'));
  const owner = filledText(job, 'owner_session_id');
  const call = filledText(job, 'source_tool_call_id');
  const title = filledText(job, 'title');
  const answer = filledText(objectIn(job, 'result'), 'output_text');
  const error = filledText(objectIn(job, 'error'), 'summary') ?? filledText(objectIn(job, 'error'), 'code');
  const status = filledText(job, 'status');
  const result = {
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(answer === undefined ? {} : { final_answer: answer }),
  };
  const task: Task = {
    ...(title === undefined ? {} : { env: { name: title } }),
    ...(Object.keys(result).length === 0 ? {} : { result }),
  };
  return {
    agent: { id: filledText(job, 'agent_uid') ?? SOURCE },
    ...(Object.keys(task).length === 0 ? {} : { task }),
    ...(owner === undefined
      ? {}
      : { parent: { psid: owner, rel: 'background_job', ...(call === undefined ? {} : { scid: call }) } }),
    ...(started === undefined ? {} : { started_at: started }),
    ...(finished === undefined ? {} : { finished_at: finished }),
  };
}

function keepUnknown({ value, pointer }: Part, keep: (pointer: string, value: Json) => void): void {
  for (const key of Object.keys(value))
    if (key !== 'job') keep(appendPointer(pointer, key), value[key] as Json);
  const job = objectIn(value, 'job');
  const known: readonly string[] = [...JOB_KEYS, 'turns', 'turns_next_cursor'];
  for (const key of Object.keys(job))
    if (!known.includes(key)) keep(appendPointer(pointer, 'job', key), job[key] as Json);
}

/** The turns of one turn of the job; one without messages is an internal turn that holds it. */
function readTurn(
  { id, value, pieces, fresh }: JoinedTurn,
  keep: (pointer: string, value: Json) => void,
  found: Tally,
): readonly Draft[] {
  const drafts: Draft[] = fresh.flatMap(({ piece, from, to }) => {
    const base = appendPointer(piece.pointer, 'trajectory', 'messages');
    const messages = piece.messages.slice(from, to);
    noteMessages(messages, base, found, from);
    const header = objectIn(piece.value, 'trajectory');
    noteHeader(header, appendPointer(piece.pointer, 'trajectory'), found);
    noteFlags(header, appendPointer(piece.pointer, 'trajectory'), found);
    for (const key of Object.keys(piece.value)) {
      if (!(JOB_TURN_KEYS as readonly string[]).includes(key))
        keep(appendPointer(piece.pointer, key), piece.value[key] as Json);
    }
    return readMessages(messages, base, from);
  });
  const [piece] = pieces;
  if (piece === undefined) return [];
  const isEmptyTurn = drafts.length === 0;
  if (isEmptyTurn) {
    found.add(
      'info',
      'ankole/turn-without-messages',
      piece.pointer,
      'the turn has no messages: it failed early, or was recorded before items were',
    );
    const turn = blankTurn('system');
    turn.kind = 'internal';
    drafts.push({ turn, calls: [], results: [] });
  }
  const status = getOwn(value, 'status') ?? null;
  drafts.forEach(({ turn }, index) => {
    turn.env = { request_id: id, state: { status, item: isEmptyTurn ? null : index } };
  });
  addMembers(drafts, value, isEmptyTurn);
  return drafts;
}

/** Puts on the first and last turn what the job's turn says besides its messages. */
function addMembers(drafts: readonly Draft[], value: JsonObject, isEmptyTurn: boolean): void {
  const [first] = drafts;
  const last = drafts.at(-1);
  if (first === undefined || last === undefined) return;
  const started = timeText(getOwn(value, 'started_at'));
  const completed = timeText(getOwn(value, 'completed_at'));
  if (started !== undefined) first.turn.ts = started;
  if (completed !== undefined) last.turn.finished_at = completed;
  const row: MutableJsonObject = without(only(value, JOB_TURN_KEYS), 'id', 'status', 'trajectory');
  if (started !== undefined) delete row.started_at;
  if (completed !== undefined) delete row.completed_at;
  const header = without(objectIn(value, 'trajectory'), 'format', 'version', 'messages');
  if (!isEmpty(header)) row.trajectory = header;
  if (isEmptyTurn) row.empty = true;
  const extra = isJsonObject(first.turn.extra) ? first.turn.extra : {};
  if (!isEmpty(row)) first.turn.extra = { ...extra, row };
}

/** How a page is made of the turns again. */
function recipeOf(part: Part, { turns, recipes }: JoinedPages, pages: number): Json {
  const cursor = getOwn(objectIn(part.value, 'job'), 'turns_next_cursor') ?? null;
  const recipe = recipes.get(part) ?? [];
  const isAll =
    pages === 1 && recipe.length === turns.length && recipe.every(([turn], index) => turn === index);
  if (isAll) return cursor === null ? 'job' : ['job', null, cursor];
  const pieces = recipe.map(([turn, from, count]) => {
    const whole = turns[turn]?.pieces.length === 1;
    return whole ? turn : [turn, from, count];
  });
  return ['job', pieces, ...(cursor === null ? [] : [cursor])];
}
