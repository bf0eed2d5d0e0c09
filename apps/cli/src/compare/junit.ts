/** One trajectory of a check, as a report shows it. */
export interface CheckedTrajectory {
  readonly id: string;
  readonly failed: boolean;
  /** One line; for a passed one that differs harmlessly, what differs. */
  readonly verdict: string;
  /** Lines of detail of a failed one. */
  readonly details: readonly string[];
}

/** A JUnit report: one test case a trajectory. */
export function* junitReport(name: string, checked: readonly CheckedTrajectory[]): Generator<string> {
  const failures = checked.filter(({ failed }) => failed).length;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites tests="${checked.length}" failures="${failures}">\n`;
  yield `  <testsuite name="${xml(name)}" tests="${checked.length}" failures="${failures}">\n`;
  for (const { id, failed, verdict, details } of checked) {
    const open = `    <testcase classname="pchronicle.check" name="${xml(id)}"`;
    if (!failed) yield `${open}/>\n`;
    else
      yield `${open}>\n      <failure message="${xml(verdict)}">${xml(details.join('\n'))}</failure>\n    </testcase>\n`;
  }
  yield '  </testsuite>\n</testsuites>\n';
}

// XML 1.0 §2.2 has no place for most control characters, surrogates, U+FFFE and U+FFFF, not even escaped.
const NOT_XML = /[\p{Cs}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu;

function xml(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
