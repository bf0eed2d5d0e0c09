import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storyline } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { temporaryFolder } from './helpers.ts';

// Minutes long: runs when PCHRONICLE_SOAK says how many kills are wanted (50 or more hit every phase); PCHRONICLE_SEED repeats a run.
const kills = Number(process.env.PCHRONICLE_SOAK ?? 0);

const child = fileURLToPath(new URL('./child-import.mjs', import.meta.url));
const DOCUMENTS = 40;
const SHARES = 4;
const HOOKS = ['tool_calls', 'steps', 'commit', 'inside-commit', 'committed', 'time'] as const;

interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
  readonly errors: string;
}

function run(uri: string, share: number, marker: string, hook: string[] = []): Promise<Ended> {
  return new Promise((resolve) => {
    const args = [child, uri, 'source', '0', String(DOCUMENTS), marker, ...hook];
    const started = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SHARE: `${share}/${SHARES}` },
    });
    let errors = '';
    started.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    started.on('close', (code, signal) => resolve({ killed: signal === 'SIGKILL', code, errors }));
  });
}

test.skipIf(kills === 0)(
  'N processes import disjoint shares, readers run meanwhile, writers are killed, maintenance runs in between',
  async () => {
    const seed = Number(process.env.PCHRONICLE_SEED ?? Date.now() % 1_000_000);
    console.log(`PCHRONICLE_SEED=${seed}`);
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const uri = join(temporaryFolder(), 'store');
    for (let share = 1; share <= SHARES; share += 1) expect((await run(uri, share, 'round-0')).code).toBe(0);
    const store = await openStore(uri);
    const hit = new Map<string, number>();
    let dead = 0;
    let reading = true;
    let reads = 0;

    /** Every document is whole and there once, of a round that was begun, whatever happens meanwhile. */
    const read = async (): Promise<Map<string, string>> => {
      const found = new Map<string, string>();
      const seen = new Set<string>();
      for await (const { storyline } of store.storylines()) {
        expect(seen.has(storyline.session), `${storyline.session} twice, seed ${seed}`).toBe(false);
        seen.add(storyline.session);
        const [number = ''] = storyline.session.split('-');
        const marker = markerOf(storyline);
        expect(found.get(number) ?? marker, `document ${number} is mixed, seed ${seed}`).toBe(marker);
        found.set(number, marker);
      }
      expect(seen.size, `seed ${seed}`).toBe(DOCUMENTS * 2);
      return found;
    };
    const reader = (async () => {
      while (reading) {
        await read();
        reads += 1;
      }
    })();

    for (let round = 1; dead < kills; round += 1) {
      const victim = 1 + random(SHARES);
      const hook = HOOKS[random(HOOKS.length)] ?? 'time';
      const occurrence = 1 + random(2);
      const delay = hook === 'time' ? 100 + random(900) : 0;
      const writers = Array.from({ length: SHARES }, (_, index) =>
        run(
          uri,
          index + 1,
          `round-${round}`,
          index + 1 === victim ? [hook, String(occurrence), String(delay)] : [],
        ),
      );
      const maintenance = random(3) === 0 ? store.maintain({ retention: 60_000 }) : undefined;
      const ended = await Promise.all(writers);
      await maintenance;
      for (const [index, writer] of ended.entries()) {
        if (writer.killed) {
          dead += 1;
          hit.set(hook, (hit.get(hook) ?? 0) + 1);
          console.log(
            `kill ${dead}: round ${round}, share ${index + 1}, ${hook} ${occurrence}${delay > 0 ? ` after ${delay} ms` : ''}`,
          );
        } else
          expect(writer, `seed ${seed}, round ${round}, share ${index + 1}`).toMatchObject({
            code: 0,
            errors: '',
          });
      }
      // What writers acknowledged is there, of this round; the victim's documents are of this round or an earlier one.
      const found = await read();
      expect([...found.values()].filter((marker) => marker === `round-${round}`).length).toBeGreaterThan(0);
      if (random(4) === 0) {
        expect((await run(uri, victim, `round-${round}`)).code).toBe(0);
        expect(new Set((await read()).values()), `seed ${seed}, round ${round}`).toEqual(
          new Set([`round-${round}`]),
        );
      }
    }
    reading = false;
    await reader;
    for (let share = 1; share <= SHARES; share += 1) expect((await run(uri, share, 'last')).code).toBe(0);
    expect(new Set((await read()).values())).toEqual(new Set(['last']));
    const report = await store.verify();
    expect(report).toMatchObject({ documents: DOCUMENTS * 2, faults: [] });
    await store.maintain({ retention: 0, safetyAge: 0 });
    expect(await store.info()).toMatchObject({
      documents: DOCUMENTS * 2,
      superseded: { runs: 0 },
      orphans: { steps: 0, toolCalls: 0 },
    });
    expect((await store.verify()).faults).toEqual([]);
    console.log(
      `${dead} kills, ${reads} reads meanwhile: ${[...hit].map(([hook, count]) => `${hook} ${count}`).join(', ')}`,
    );
    if (kills >= 50)
      for (const hook of HOOKS) expect(hit.get(hook) ?? 0, `${hook}, seed ${seed}`).toBeGreaterThan(0);
    await store.close();
  },
  30 * 60_000,
);

function markerOf(storyline: Storyline): string {
  const markers = new Set(storyline.turns.map((turn) => String(turn.msg).split(' ').at(-1)));
  expect(markers.size).toBe(1);
  return [...markers][0] ?? '';
}
