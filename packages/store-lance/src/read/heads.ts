import { headOf, type StorylineHead } from '@pchronicle/storyline-core';
import { textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import { guarded, type StoreContext } from '../context.ts';
import { take } from '../lance/scan.ts';
import type { Snapshot } from '../snapshot.ts';
import type { LiveEntry } from './live-entries.ts';
import { assemble } from './read-stories.ts';

const CHUNK = 256;

/** Characters up to which values that repeat are remembered. */
const REMEMBERED = 4 * 1024 * 1024;
/** Shorter ones are not worth it. */
const SHARED_CHARACTERS = 64;

/**
 * Reads Storylines without their turns, in the order of the entries. Prompts and tool definitions that repeat are one value: an export
 * holds the heads of all that it writes.
 */
export async function* readHeads(
  context: StoreContext,
  snapshot: Snapshot,
  entries: readonly LiveEntry[],
): AsyncGenerator<StorylineHead> {
  const columns = context.columns.runs.map((column) => column.name);
  const shared = sharedValues();
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK);
    const ids = chunk.map((entry) => entry.rowId);
    const rows = new Map<string, Row>();
    await guarded(context, `read the store ${context.location.shown}`, async () => {
      for await (const page of take(snapshot.tables.runs, ids, { columns, batchRows: CHUNK })) {
        for (const row of page) rows.set(textOf(row, 'ingest_id'), row);
      }
    });
    for (const entry of chunk) {
      const row = rows.get(entry.ingestId);
      // A head is a Storyline read without its steps, so the counts of steps must say so.
      const run = row === undefined ? undefined : { ...row, step_count: 0n, tool_call_count: 0n };
      yield shared(headOf(assemble(context, entry, { run, steps: [], toolCalls: [] })), row);
    }
  }
}

/** Gives heads the values that an earlier one had from the same text. */
function sharedValues(): (head: StorylineHead, row: Row | undefined) => StorylineHead {
  const known = new Map<string, unknown>();
  let characters = 0;
  const share = <Value>(column: string, text: Row[string], value: Value): Value => {
    if (typeof text !== 'string' || text.length < SHARED_CHARACTERS || value === undefined) return value;
    const name = `${column} ${text}`;
    const before = known.get(name);
    if (before !== undefined) return before as Value;
    characters += name.length;
    if (characters > REMEMBERED) {
      known.clear();
      characters = name.length;
    }
    known.set(name, value);
    return value;
  };
  return (head, row) => {
    // Where a cell is not exact, its text is not all that the value was made of.
    if (row === undefined || (row.exact_json ?? null) !== null) return head;
    const prompt = share('prompt', row.prompt_json, head.prompt);
    const tools = share('tools', row.agent_tool_definitions_json, head.agent.tools);
    if (prompt === head.prompt && tools === head.agent.tools) return head;
    return {
      ...head,
      ...(prompt === undefined ? {} : { prompt }),
      agent: { ...head.agent, ...(tools === undefined ? {} : { tools }) },
    };
  };
}
