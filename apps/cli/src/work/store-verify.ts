import type { Store, VerifyFault, VerifyReport } from '@pchronicle/store-lance';
import type { StoreOptions } from '../commands/store.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { withStore } from '../store/open.ts';
import { countOf, formatCount, formatDuration } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';
import { safeJson, safeLine } from '../terminal/safe.ts';

/** Reads every trajectory back and compares it with what was imported; exit 4 when one is damaged. */
export async function storeVerify(options: StoreOptions, context: Context): Promise<void> {
  await withStore(options.store, context, async (store) => {
    const progress = createProgress(context.notes, {
      label: 'verifying',
      total: await countDocuments(store),
      unit: 'items',
    });
    const { signal } = context.interrupt;
    const report = await store
      .verify({
        signal,
        onProgress: (checked, total) =>
          progress.update(
            checked,
            `${formatCount(checked)} of ${countOf(total, 'trajectory', 'trajectories')}`,
          ),
      })
      .catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      })
      .finally(() => progress.stop());
    const wrong = report.faults.length + report.damage.length;
    if (wrong > 0) context.mark(EXIT.store);
    if (options.json === true) {
      const { steps, toolCalls, seconds } = report;
      const faults = report.faults.map(faultJson);
      const object = {
        store: store.uri,
        runs: report.documents,
        steps,
        tool_calls: toolCalls,
        seconds,
        faults,
        damage: report.damage,
        notes: report.notes,
      };
      return await context.stdout.writeJson(`${safeJson(JSON.stringify(object))}\n`);
    }
    const { style } = context;
    for (const { table, message } of report.damage)
      await context.stdout.write(`${style.error('damaged')}: ${safeLine(`table ${table}: ${message}`)}\n`);
    for (const fault of report.faults) {
      await context.stdout.write(
        `${style.error('damaged')}: ${safeLine(`${fault.documentId === '' ? '?' : fault.documentId} (${fault.documentKey}): ${fault.message}`)}\n`,
      );
    }
    const what = `${countOf(report.documents, 'trajectory', 'trajectories')}, ${countOf(report.steps, 'step')}, ${countOf(report.toolCalls, 'tool call')}`;
    const verdict = wrong === 0 ? 'all as imported' : countOf(wrong, 'fault');
    const mark = wrong === 0 ? style.good('✓') : style.error('✗');
    await context.stdout.write(`${mark} ${what}: ${verdict} (${formatDuration(report.seconds)})\n`);
    for (const note of report.notes) context.notes.say(`note: ${safeLine(note)}`);
    if (wrong > 0) context.notes.say(wayOut(report));
  });
}

function wayOut({ faults, damage }: VerifyReport): string {
  return faults.length === 0 && damage.every(({ index }) => index !== undefined)
    ? 'no trajectory is hit; pchronicle store maintain makes the indexes anew'
    : 'put the files back from a copy; or delete the trajectories that are named, drop the files (pchronicle store maintain --drop-damaged), and import those sources again; --skip-damaged asks, lists and exports what is as imported meanwhile';
}

// Only for the progress: what cannot be counted is what verifying is for.
async function countDocuments(store: Store): Promise<number> {
  try {
    return (await store.info()).documents;
  } catch {
    return 0;
  }
}

function faultJson(fault: VerifyFault): object {
  return { document_key: fault.documentKey, document_id: fault.documentId, message: fault.message };
}
