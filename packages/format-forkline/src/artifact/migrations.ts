import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type MutableJsonObject,
} from '@pchronicle/storyline-core';
import { migrateRecordingV0 } from './migrate-recording-v0.ts';

/** One migration: gets a frozen artifact, gives a new one. It must be deterministic and have no effects; `schema_version` is set for it. */
export type Migration = (artifact: JsonObject) => JsonObject;

/** An open registry of migrations (artifact schema, "Migration guarantees"). */
export interface MigrationRegistry {
  /** Adds a way from one version to another. Ways that are there stay; registering one twice is a bug and throws. */
  registerMigration(from: string, to: string, migrate: Migration): void;
  /** The versions on the shortest way, both ends included; of equally short ways the one registered first. `undefined` without a way. */
  pathBetween(from: string, to: string): readonly string[] | undefined;
  /** Takes the shortest way; the input is neither changed nor frozen. `undefined` without a way. */
  migrate(artifact: JsonObject, from: string, to: string): JsonObject | undefined;
  /** Every version that a registered migration starts from or leads to. */
  readonly versions: readonly string[];
}

/** A registry with Forkline's own migration, recording_v0 → 1.0; every caller gets a new one, there is no global state. */
export function createMigrations(): MigrationRegistry {
  const edges = new Map<string, Map<string, Migration>>();
  const versions = new Set<string>();

  function pathBetween(from: string, to: string): readonly string[] | undefined {
    const before = new Map<string, string | undefined>([[from, undefined]]);
    const queue = [from];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (next === to) {
        const path: string[] = [];
        for (let at: string | undefined = to; at !== undefined; at = before.get(at)) path.unshift(at);
        return path;
      }
      for (const target of edges.get(next)?.keys() ?? []) {
        if (before.has(target)) continue;
        before.set(target, next);
        queue.push(target);
      }
    }
    return undefined;
  }

  const registry: MigrationRegistry = {
    registerMigration(from, to, migrate) {
      const known = edges.get(from) ?? new Map<string, Migration>();
      if (known.has(to)) throw new Error(`a migration from ${from} to ${to} is registered already`);
      known.set(to, migrate);
      edges.set(from, known);
      versions.add(from).add(to);
    },
    pathBetween,
    migrate(artifact, from, to) {
      const path = pathBetween(from, to);
      if (path === undefined) return undefined;
      let current = artifact;
      for (let hop = 1; hop < path.length; hop += 1) {
        const target = path[hop] ?? '';
        const migrate = edges.get(path[hop - 1] ?? '')?.get(target);
        if (migrate === undefined) return undefined;
        // The built-in migration only reads; anybody else's gets a copy that it cannot change.
        const result = migrate(migrate === migrateRecordingV0 ? current : frozenCopy(current));
        current = { ...result, schema_version: target };
      }
      return current;
    },
    get versions() {
      return [...versions];
    },
  };
  registry.registerMigration('recording_v0', '1.0', migrateRecordingV0);
  return registry;
}

/** A deep copy, frozen at every level, made without recursion. */
function frozenCopy(root: JsonObject): JsonObject {
  const copy: MutableJsonObject = { ...root };
  const open: object[] = [copy];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next)) {
      const inner = isJsonArray(value) ? [...value] : isJsonObject(value) ? { ...value } : undefined;
      if (inner === undefined) continue;
      Object.defineProperty(next, key, {
        value: inner,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      open.push(inner);
    }
    Object.freeze(next);
  }
  return copy;
}
