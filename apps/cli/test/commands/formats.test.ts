import { expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../src/format-names.ts';
import { pchronicle } from '../support/run.ts';

test('--json lists every format from its own declaration', async () => {
  const { exit, stdout, stderr } = await pchronicle(['formats', '--json']);
  expect([exit, stderr]).toEqual([0, '']);
  const { formats } = JSON.parse(stdout) as { formats: Record<string, unknown>[] };
  expect(formats.map(({ id }) => id)).toEqual(FORMAT_NAMES.map(({ id }) => id));
  for (const format of formats) {
    expect(Object.keys(format)).toEqual([
      'id',
      'aliases',
      'title',
      'extensions',
      'reads',
      'writes',
      'containers',
      'schema',
      'fidelity',
    ]);
  }
  expect(formats[0]).toMatchObject({
    id: 'storyline',
    reads: true,
    writes: true,
    containers: ['document', 'array', 'lines'],
    fidelity: { roundTrip: 'normalised', expresses: [''] },
  });
});

test('a table for a person, and one format in full', async () => {
  const table = await pchronicle(['formats']);
  expect(table.stdout).toMatch(/^FORMAT +ALSO +TITLE +READS +WRITES +ROUND TRIP +OF STORYLINE +FILES$/m);
  expect(table.stdout).toMatch(
    /^storyline .* document, array, lines +yes +exact \(normal form\) +everything +\.storyline\.json$/m,
  );
  const one = await pchronicle(['formats', 'actf']);
  expect(one.stdout).toMatch(/^format +actf\ntitle +ACTF/);
  expect(one.stdout).toMatch(/^ +\/task\/result\/score$/m);
  const wrong = await pchronicle(['formats', 'acft']);
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toContain('did you mean "actf"?');
});
