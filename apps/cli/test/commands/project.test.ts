import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actfDocument } from '../support/documents.ts';
import { folder, pchronicle } from '../support/run.ts';

describe('project', () => {
  test('the model view hides message ids and numbers calls; audit keeps them', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('secret-task')));
    const model = await pchronicle(['project', 'a.json', '--json'], { cwd });
    expect(model.exit).toBe(0);
    expect(model.stdout).not.toContain('secret-task-call');
    const { messages } = JSON.parse(model.stdout) as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(messages.every((message) => !('id' in message))).toBe(true);
    expect(messages[3]).toMatchObject({ tool_call_id: 'call_1', name: 'bash', content: 'total 0' });
    const audit = await pchronicle(['project', 'a.json', '--view', 'audit', '--json'], { cwd });
    expect(JSON.parse(audit.stdout).messages[3].tool_call_id).toBe('secret-task-call');
    const prefixed = await pchronicle(['project', 'a.json', '--alias-prefix', 'k', '--json'], { cwd });
    expect(JSON.parse(prefixed.stdout).messages[3].tool_call_id).toBe('k1');
  });

  test('a trajectory of the store; a wrong view is a usage error', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('task')));
    expect((await pchronicle(['import', 'a.json', '--store', 's'], { cwd })).exit).toBe(0);
    expect((await pchronicle(['project', 'task', '--store', 's'], { cwd })).exit).toBe(0);
    expect((await pchronicle(['project', 'a.json', '--view', 'all'], { cwd })).exit).toBe(2);
  });
});
