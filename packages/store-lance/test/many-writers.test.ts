import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Storyline } from '@pchronicle/storyline-core';
import { expect, test } from 'vitest';
import { openStore, shareOf } from '../src/index.ts';
import { temporaryFolder } from './helpers.ts';

// Goes on until so many kills have hit each phase of the commit. One each takes seconds and is part of the quick suite; PCHRONICLE_SOAK=50 takes
// minutes. PCHRONICLE_SEED repeats the choices of a run (not its timing).
const wanted = Number(process.env.PCHRONICLE_SOAK ?? 1);

const child = fileURLToPath(new URL('./child-import.mjs', import.meta.url));
const DOCUMENTS = 40;
const SHARES = 4;

/** Where a writer may be told to kill itself, by the phase of the commit that this hits. A kill after some time hits what it hits. */
const POINTS = {
  calls: ['tool_calls', 'inside-tool_calls'],
  steps: ['steps', 'inside-steps'],
  commit: ['commit', 'inside-commit'],
  after: ['committed'],
} as const;
type Phase = keyof typeof POINTS;
const PHASES = Object.keys(POINTS) as Phase[];

interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
  readonly errors: string;
  /** The phase that had begun last: where the kill came. */
  readonly phase: Phase | undefined;
  /** Storylines that were acknowledged: committed, says the writer. */
  readonly acknowledged: number;
}

function run(uri: string, share: number, marker: string, hook: readonly string[] = []): Promise<Ended> {
  return new Promise((resolve) => {
    const args = [child, uri, 'source', '0', String(DOCUMENTS), marker, ...hook];
    const started = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SHARE: `${share}/${SHARES}`, TRACE: '1' },
    });
    let output = '';
    let errors = '';
    started.stdout.on('data', (chunk) => {
      output += chunk;
    });
    started.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    started.on('close', (code, signal) => {
      const phases = [...output.matchAll(/^phase (\w+) (\d+)$/gm)];
      const committed = phases.filter(([, phase]) => phase === 'committed').at(-1);
      resolve({
        killed: signal === 'SIGKILL',
        code,
        errors,
        phase: phaseOf(phases.at(-1)?.[1]),
        acknowledged: Number(committed?.[2] ?? 0),
      });
    });
  });
}

function phaseOf(last: string | undefined): Phase | undefined {
  return PHASES.find((phase) => last !== undefined && (POINTS[phase] as readonly string[]).includes(last));
}

/** The documents of a share, in the order in which it commits them. */
function documentsOf(share: number): string[] {
  return Array.from({ length: DOCUMENTS }, (_, number) => number)
    .filter((number) => shareOf('source', `document-${number}`, SHARES) === share)
    .map(String);
}

function markerOf(storyline: Storyline): string {
  const markers = new Set(storyline.turns.map((turn) => String(turn.msg).split(' ').at(-1)));
  expect(markers.size).toBe(1);
  return [...markers][0] ?? '';
}

/** Files that killed writers left behind and that belong to no version. */
function strayFiles(uri: string): number {
  return readdirSync(uri, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|\/)\.tmp|#\d+$/.test(path),
  ).length;
}

test(
  `N processes import disjoint shares, readers run meanwhile, maintenance runs in between, writers are killed, at least ${wanted} in each phase`,
  async () => {
    const seed = Number(process.env.PCHRONICLE_SEED ?? Date.now() % 1_000_000);
    console.log(`PCHRONICLE_SEED=${seed}`);
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const hits = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
    const points = new Map<string, number>();
    const hitsOf = (phase: Phase): number => hits.get(phase) ?? 0;

    const uri = join(temporaryFolder(), 'store');
    const all = Array.from({ length: SHARES }, (_, index) => index + 1);
    for (const ended of await Promise.all(all.map((share) => run(uri, share, 'round-0'))))
      expect(ended).toMatchObject({ code: 0, errors: '' });
    const store = await openStore(uri);
    let kills = 0;
    let maintained = 0;
    let stray = 0;
    let reading = true;
    let reads = 0;

    /** Every document is whole and there once, whatever happens meanwhile: number → marker. */
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
    // A reader that finds something wrong ends the test when it is awaited, not as an unhandled rejection before.
    reader.catch(() => {
      reading = false;
    });

    /** What to do to one writer: the phase that was hit least so far, or any time. */
    const hookOf = (): string[] => {
      if (random(8) === 0) return ['time', '1', String(300 + random(900))];
      const least = Math.min(...PHASES.map(hitsOf));
      const point = pick(POINTS[pick(PHASES.filter((phase) => hitsOf(phase) === least))]);
      return [point, String(1 + random(2)), '0'];
    };

    let expected = await read();
    for (let round = 1; PHASES.some((phase) => hitsOf(phase) < wanted) && reading; round += 1) {
      const marker = `round-${round}`;
      // All but one are killed.
      const survivor = 1 + random(SHARES);
      const hooks = all.map((share) => (share === survivor ? [] : hookOf()));
      const writers = all.map((share) => run(uri, share, marker, hooks[share - 1]));
      const maintenance = round === 1 || random(3) === 0 ? store.maintain({ retention: 60_000 }) : undefined;
      const ended = await Promise.all(writers);
      if (maintenance !== undefined) {
        await maintenance;
        maintained += 1;
      }
      const found = await read();
      for (const share of all) {
        const writer = ended[share - 1];
        const where = `seed ${seed}, round ${round}, share ${share}, ${hooks[share - 1]?.join(' ')}`;
        if (writer?.killed !== true) expect(writer, where).toMatchObject({ code: 0, errors: '' });
        else {
          kills += 1;
          const [point = '', occurrence, delay] = hooks[share - 1] ?? [];
          const phase = writer.phase ?? 'none (reading)';
          if (writer.phase !== undefined) hits.set(writer.phase, hitsOf(writer.phase) + 1);
          points.set(point, (points.get(point) ?? 0) + 1);
          console.log(
            `kill ${kills}: round ${round}, share ${share}, ${point} ${point === 'time' ? `${delay} ms` : occurrence}, in phase ${phase}, ${writer.acknowledged} acknowledged`,
          );
        }
        // What was acknowledged is there, of this round; any other document of the share is of this round or as it was.
        const documents = documentsOf(share);
        const certain = writer?.killed === true ? writer.acknowledged / 2 : documents.length;
        for (const [index, number] of documents.entries()) {
          const markers = index < certain ? [marker] : [marker, expected.get(number)];
          expect(markers, `document ${number}, ${where}`).toContain(found.get(number));
        }
      }
      expected = found;
      stray = Math.max(stray, strayFiles(uri));
    }
    reading = false;
    await reader;
    for (const ended of await Promise.all(all.map((share) => run(uri, share, 'last'))))
      expect(ended).toMatchObject({ code: 0, errors: '' });
    expect(new Set((await read()).values())).toEqual(new Set(['last']));
    expect(await store.verify()).toMatchObject({ documents: DOCUMENTS * 2, faults: [] });
    await store.maintain({ retention: 0, safetyAge: 0 });
    expect(await store.info()).toMatchObject({
      documents: DOCUMENTS * 2,
      superseded: { runs: 0, steps: 0, toolCalls: 0 },
      orphans: { steps: 0, toolCalls: 0 },
    });
    expect((await store.verify()).faults).toEqual([]);
    expect(strayFiles(uri)).toBe(0);
    await store.close();
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    console.log(
      `${kills} kills by phase: ${list(hits)}; by point: ${list(points)}; ${reads} reads and ${maintained} maintenances meanwhile; at most ${stray} stray files, none at the end`,
    );
    for (const phase of PHASES)
      expect(hitsOf(phase), `${phase}, seed ${seed}`).toBeGreaterThanOrEqual(wanted);
  },
  60_000 + wanted * 60_000,
);
