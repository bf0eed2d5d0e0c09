import type { Report } from '@pchronicle/storyline-core';

/** Turns the faults that the reader would find in what is about to be written into errors of the export: `actf/not-writable`. */
export function refuse(report: Report): Report {
  return (severity, code, pointer, message) => {
    if (severity !== 'error') return;
    report(
      'error',
      'actf/not-writable',
      '',
      `the document would not be valid ACTF (${code} at ${pointer}): ${message}`,
    );
  };
}
