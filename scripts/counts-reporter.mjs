// A vitest reporter that writes the counts of a run as JSON to the file named by PCHRONICLE_COUNTS.
import { writeFileSync } from 'node:fs';

export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let failed = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'skipped') counts.skipped += 1;
        else failed += 1;
      }
      // A file that could not be loaded, or whose hook failed, holds no failed test but has failed all the same.
      if (failed === 0 && module.state() === 'failed') failed = 1;
      counts.failed += failed;
    }
    writeFileSync(process.env.PCHRONICLE_COUNTS, JSON.stringify(counts));
  }
}
