import type { StoreInfo, TableInfo } from '@pchronicle/store-lance';
import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { withStore } from '../store/open.ts';
import { countOf, formatBytes, formatCount } from '../terminal/numbers.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';
import { formatTable } from '../terminal/table.ts';

/** Shows sizes, rows and versions of the store. */
export async function storeInfo(options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    const info = await store.info();
    if (options.json === true)
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(asJson(info)))}\n`);
    await context.stdout.write(`${facts(info).join('\n')}\n\n${tables(info, context)}\n`);
  });
}

// The names of the tables and of ls --json, so that a script needs one vocabulary.
function asJson(info: StoreInfo): object {
  return {
    store: info.uri,
    layout: info.layout,
    runs: info.documents,
    steps: info.steps,
    tool_calls: info.toolCalls,
    sources: info.sources,
    superseded: {
      runs: info.superseded.runs,
      steps: info.superseded.steps,
      tool_calls: info.superseded.toolCalls,
    },
    orphans: { steps: info.orphans.steps, tool_calls: info.orphans.toolCalls },
    bytes_on_disk: info.bytesOnDisk ?? null,
    tables: Object.fromEntries(tablesOf(info)),
  };
}

function tablesOf({ tables }: StoreInfo): [string, TableInfo][] {
  return [
    ['runs', tables.runs],
    ['steps', tables.steps],
    ['tool_calls', tables.tool_calls],
  ];
}

function facts(info: StoreInfo): string[] {
  const old = info.superseded.runs + info.orphans.steps + info.orphans.toolCalls;
  return [
    `store         ${safeLine(info.uri)} (layout ${info.layout})`,
    `trajectories  ${formatCount(info.documents)} from ${countOf(info.sources, 'source')}`,
    `steps         ${formatCount(info.steps)}`,
    `tool calls    ${formatCount(info.toolCalls)}`,
    ...(info.bytesOnDisk === undefined ? [] : [`on disk       ${formatBytes(info.bytesOnDisk)}`]),
    ...(old === 0
      ? []
      : [
          `superseded    ${countOf(info.superseded.runs, 'run')}, ${countOf(info.superseded.steps, 'step')}, ${countOf(info.superseded.toolCalls, 'call')}`,
          `orphaned      ${countOf(info.orphans.steps, 'step')}, ${countOf(info.orphans.toolCalls, 'call')} of imports that never committed`,
        ]),
  ];
}

function tables(info: StoreInfo, context: Context): string {
  return formatTable(
    tablesOf(info),
    [
      { title: 'TABLE', text: ([name]) => name },
      { title: 'ROWS', align: 'right', text: ([, table]) => formatCount(table.rows) },
      { title: 'BYTES', align: 'right', text: ([, table]) => formatBytes(table.bytes) },
      { title: 'FRAGMENTS', align: 'right', text: ([, table]) => formatCount(table.fragments) },
      { title: 'VERSION', align: 'right', text: ([, table]) => formatCount(table.version) },
      { title: 'INDEXES', min: 7, text: ([, table]) => table.indexes.join(', ') || '-' },
    ],
    context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY,
    context.style,
  );
}
