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

  const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  const row = (id: string, previous: string | null, content: unknown[], over: object = {}) => ({
    id,
    conversation_id: 'c1',
    type: 'message',
    role: null,
    status: 'complete',
    previous_message_id: previous,
    content,
    metadata: {},
    inserted_at: `2026-08-20T08:00:0${id.slice(1)}.000000Z`,
    ...over,
  });
  const write = (cwd: string, rows: unknown[], cursor: string | null = null) =>
    writeFileSync(join(cwd, 'page.json'), JSON.stringify({ messages: rows, next_cursor: cursor }));
  const call = { type: 'function_call', call_id: 'x', name: 'f', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'ghost', output: 'r' };

  test('policies: what they report is printed, and unanswered calls may be dropped', async () => {
    const cwd = folder();
    write(cwd, [row('r1', null, [user('q'), call, result])]);
    const run = (...options: string[]) => pchronicle(['project', 'page.json', ...options], { cwd });
    const roles = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).messages.map(({ role }: { role: string }) => role);
    const plain = await run('--json');
    expect(roles(plain)).toEqual(['user', 'assistant', 'tool']);
    expect(plain.stderr).not.toContain('core/unpaired-call');
    const told = await run('--orphans', 'report', '--unanswered', 'report');
    expect(roles(told)).toEqual(['user', 'assistant', 'tool']);
    expect(told.stderr).toContain('result "ghost": orphan result (core/unpaired-call)');
    expect(told.stderr).toContain('call "x": unanswered (core/unpaired-call)');
    const dropped = await run('--unanswered', 'drop');
    expect(roles(dropped)).toEqual(['user', 'tool']);
    expect(dropped.stderr).toContain('call "x": unanswered; it is left out (core/unpaired-call)');
    expect((await run('--unanswered', 'maybe')).exit).toBe(2);
  });

  test('K2: the context border is told, of a file and of the store; and what was told on reading', async () => {
    const cwd = folder();
    const border = { type: 'compaction_artifact', id: 'cmp_r3' };
    const rows = [
      row('r1', null, [user('before')]),
      row('r2', 'r1', [user('too')]),
      row('r3', 'r2', [border], { type: 'checkpoint' }),
      row('r4', 'r3', [user('after')]),
    ];
    write(cwd, rows, 'more');
    const shown = await pchronicle(['project', 'page.json', '--json'], { cwd });
    expect(JSON.parse(shown.stdout).messages).toEqual([{ role: 'user', content: 'after' }]);
    const plain = await pchronicle(['project', 'page.json'], { cwd });
    expect(plain.stderr.match(/context (starts anew|replaced) here/g)).toEqual(['context starts anew here']);
    expect(plain.stderr).toContain('ankole/pages-missing');
    expect((await pchronicle(['import', 'page.json', '--store', 's'], { cwd })).exit).toBe(0);
    const stored = await pchronicle(['project', 'c1', '--store', 's'], { cwd });
    expect(stored.stderr).toContain('context replaced here, 2 rows covered');
  });

  test('O12: messages of OpenAI rows that no row produced are told, as views do not have them', async () => {
    const cwd = folder();
    const asks = (id: string, content: string) => ({
      role: 'assistant',
      content,
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
    const messages = [{ role: 'user', content: 'q' }, asks('a', ''), asks('b', 'mid')];
    const response = { role: 'assistant', content: 'answer' };
    const one = { session_id: 's', step_id: 1, agent_id: 'a', messages, response };
    writeFileSync(join(cwd, 'rows.json'), JSON.stringify({ session_steps: [one] }));
    const shown = await pchronicle(['project', 'rows.json'], { cwd });
    expect(JSON.parse(shown.stdout).messages).toHaveLength(2);
    expect(shown.stderr).toContain('2 of the messages that rows repeat were produced by no row');
    writeFileSync(
      join(cwd, 'rows.json'),
      JSON.stringify({ session_steps: [{ ...one, messages: messages.slice(0, 1) }] }),
    );
    expect((await pchronicle(['project', 'rows.json'], { cwd })).stderr).not.toContain('produced by no row');
  });

  test('a trajectory of the store; a wrong view is a usage error', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'a.json'), JSON.stringify(actfDocument('task')));
    expect((await pchronicle(['import', 'a.json', '--store', 's'], { cwd })).exit).toBe(0);
    expect((await pchronicle(['project', 'task', '--store', 's'], { cwd })).exit).toBe(0);
    expect((await pchronicle(['project', 'a.json', '--view', 'all'], { cwd })).exit).toBe(2);
  });
});
