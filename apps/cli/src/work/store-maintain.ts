import type { MaintainReport, MaintainStep } from '@pchronicle/store-lance';
import type { StoreMaintainOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { withStore } from '../store/open.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

const STEPS: { readonly [step in MaintainStep]: string } = {
  damaged: 'dropping damaged files',
  superseded: 'purging replaced and deleted trajectories',
  orphans: 'purging what interrupted imports left',
  compact: 'compacting',
  indexes: 'refreshing indexes',
  clean: 'removing old versions',
  files: 'removing stray files',
};

/** Maintains the store and says what that did. Interrupted between two steps it leaves a store as good as before. */
export async function storeMaintain(options: StoreMaintainOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    const names = Object.keys(STEPS);
    const progress = createProgress(context.notes, {
      label: 'maintaining',
      total: names.length,
      unit: 'items',
    });
    const { signal } = context.interrupt;
    const report = await store
      .maintain({
        retention: options.retention * 1000,
        safetyAge: options.safetyAge * 1000,
        dropDamaged: options.dropDamaged === true,
        signal,
        onProgress: (step) => progress.update(names.indexOf(step), STEPS[step]),
      })
      .catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      })
      .finally(() => progress.stop());
    if (options.json === true)
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(asJson(store.uri, report)))}\n`);
    await context.stdout.write(`${lines(report).join('\n')}\n`);
    context.notes.say(`maintained ${safeLine(store.uri)} in ${formatDuration(report.seconds)}`);
  });
}

function asJson(store: string, report: MaintainReport): object {
  return {
    store,
    purged: report.purged,
    dropped: report.dropped,
    fragments: report.fragments,
    kept_since: report.keptSince.toISOString(),
    held_by_tag: report.heldByTag,
    versions_removed: report.versionsRemoved,
    bytes_removed: report.bytesRemoved,
    indexes: report.indexes,
    files_removed: report.filesRemoved,
    seconds: report.seconds,
  };
}

function lines({ purged, dropped, fragments, versionsRemoved, ...report }: MaintainReport): string[] {
  const tag = report.heldByTag ? ', further back than asked because of a tag' : '';
  return [
    `purged      ${countOf(purged.runs, 'run')}, ${countOf(purged.steps, 'step')}, ${countOf(purged.tool_calls, 'call')}`,
    ...(dropped.steps + dropped.tool_calls === 0
      ? []
      : [
          `dropped     ${countOf(dropped.steps, 'step')}, ${countOf(dropped.tool_calls, 'call')} in damaged files`,
        ]),
    `fragments   ${formatCount(fragments.before)} → ${formatCount(fragments.after)}`,
    `indexes     ${safeLine(report.indexes.join(', ')) || 'none made anew'}`,
    `versions    ${formatCount(versionsRemoved.runs)} of the store removed, ${formatCount(versionsRemoved.steps)} of its steps, ${formatCount(versionsRemoved.tool_calls)} of its calls (${formatBytes(report.bytesRemoved)}); kept since ${report.keptSince.toISOString()}${tag}`,
    `files       ${countOf(report.filesRemoved, 'stray file')} removed`,
  ];
}
