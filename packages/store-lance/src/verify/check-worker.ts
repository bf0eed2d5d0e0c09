import { parentPort, workerData } from 'node:worker_threads';
import { connectLance, SCANNING_CACHES } from '../lance/connect.ts';
import { loadLance } from '../lance/load-lance.ts';
import { pin } from '../snapshot.ts';
import { isStoreError } from '../store-error.ts';
import { checkUnit } from './check-unit.ts';
import type { CheckerData, FromChecker } from './messages.ts';
import type { Unit } from './plan-units.ts';

// A thread of verifying: checks the units it is sent, one after another, and ends when it is sent nothing.

const port = parentPort;
if (port === null) throw new Error('this file is a worker');

const { access, versions, columns } = workerData as CheckerData;
const opened = open();
// Whoever asks first is told.
opened.catch(() => undefined);

async function open() {
  const connection = await connectLance(loadLance(), access, SCANNING_CACHES);
  return { connection, tables: (await pin({ connection }, versions)).tables };
}

port.on('message', async (unit: Unit | undefined) => {
  if (unit === undefined) {
    const { connection, tables } = await opened.catch(() => ({ connection: undefined, tables: {} }));
    for (const table of Object.values(tables)) table.close();
    connection?.close();
    port.close();
    return;
  }
  let answer: FromChecker;
  try {
    answer = { type: 'checked', checked: await checkUnit({ tables: (await opened).tables, columns }, unit) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    answer = { type: 'failed', name, message, code: isStoreError(error) ? error.code : undefined };
  }
  port.postMessage(answer);
});
