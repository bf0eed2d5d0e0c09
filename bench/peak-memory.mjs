// A preload: writes this process's peak memory (all threads) to the folder named by PCHRONICLE_PEAK when it ends.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.PCHRONICLE_PEAK;
if (isMainThread && folder !== undefined) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const line = { maxRSS, userCPUTime, systemCPUTime, command: process.argv.slice(1) };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(line));
  });
}
