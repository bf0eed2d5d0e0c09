import { parsePointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type Json, type MutableJsonObject, setOwn } from '../json/value.ts';

/**
 * What differs from run to run without meaning anything: ids, times and durations. RFC 6901 pointers into a Storyline in which the
 * token `*` stands for any array position or key.
 */
export const DEFAULT_VOLATILE: readonly string[] = [
  '/schema_version',
  '/session',
  '/run',
  '/trajectory',
  '/attempt_id',
  '/parent',
  '/children',
  '/origin',
  '/continued_trajectory_ref',
  '/started_at',
  '/finished_at',
  '/unknown_fields',
  '/unknown_key_counts',
  '/task/env/id',
  '/task/env/request_id',
  '/turns/*/id',
  '/turns/*/ts',
  '/turns/*/finished_at',
  '/turns/*/latency_ms',
  '/turns/*/ttft_ms',
  '/turns/*/env/id',
  '/turns/*/env/request_id',
  '/turns/*/metrics/llm_infer_ms',
  '/turns/*/metrics/env_action_ms',
  '/turns/*/metrics/latency_ms',
  '/turns/*/metrics/ttft_ms',
  '/turns/*/metrics/total_latency_ms',
  '/turns/*/metrics/duration_ms',
  '/turns/*/extra/payload/duration_ms',
  '/turns/*/extra/payload/timing',
  '/turns/*/tool_calls/*/tcid',
  '/turns/*/tool_calls/*/duration_ms',
  '/turns/*/tool_calls/*/extra/payload/duration_ms',
  '/turns/*/tool_calls/*/extra/payload/timing',
  '/turns/*/tool_calls/*/extra/payload/invocation_id',
  '/turns/*/observation/results/*/id',
  '/turns/*/observation/results/*/tool_use_id',
  '/turns/*/observation/results/*/tool_call_id',
  '/turns/*/observation/results/*/source_call_id',
  '/turns/*/observation/results/*/duration_ms',
];

/** Compiled patterns: what to leave out below a place. */
export interface VolatileTree {
  /** The value at this place is left out. */
  whole: boolean;
  readonly members: Map<string, VolatileTree>;
}

/** Compiles patterns; a text that is no RFC 6901 pointer is returned in `faults` and matches nothing. */
export function compileVolatile(patterns: readonly string[]): {
  tree: VolatileTree;
  faults: readonly string[];
} {
  const tree: VolatileTree = { whole: false, members: new Map() };
  const faults: string[] = [];
  for (const pattern of patterns) {
    const tokens = parsePointer(pattern);
    if (tokens === undefined) {
      faults.push(pattern);
      continue;
    }
    let node = tree;
    for (const token of tokens) {
      let next = node.members.get(token);
      if (next === undefined) {
        next = { whole: false, members: new Map() };
        node.members.set(token, next);
      }
      node = next;
    }
    node.whole = true;
  }
  return { tree, faults };
}

/** The tree below one token: its own patterns and those of `*`. */
export function descend(tree: VolatileTree, token: string): readonly VolatileTree[] {
  const own = tree.members.get(token);
  const any = token === '*' ? undefined : tree.members.get('*');
  return own === undefined ? (any === undefined ? [] : [any]) : any === undefined ? [own] : [own, any];
}

/**
 * A value without its volatile places. Only what lies above a pattern is copied, the rest is shared. Left-out members of an object are
 * gone, elements of an array become null so that positions stay. The call depth is that of the patterns, never of the data.
 */
export function withoutVolatile(value: Json, trees: readonly VolatileTree[]): Json {
  if (trees.every((tree) => tree.members.size === 0)) return value;
  if (isJsonArray(value)) {
    return value.map((item, index) => {
      const below = trees.flatMap((tree) => descend(tree, String(index)));
      return below.some((tree) => tree.whole)
        ? null
        : below.length === 0
          ? item
          : withoutVolatile(item, below);
    });
  }
  if (!isJsonObject(value)) return value;
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as Json;
    const below = trees.flatMap((tree) => descend(tree, key));
    if (below.some((tree) => tree.whole)) continue;
    setOwn(copy, key, below.length === 0 ? item : withoutVolatile(item, below));
  }
  return copy;
}
