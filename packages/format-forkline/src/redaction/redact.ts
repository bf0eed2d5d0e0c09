import { type Json, sha256Hex } from '@pchronicle/storyline-core';
import { sortedKeys } from '../python/compare-code-points.ts';
import { pythonJson } from '../python/dump.ts';
import { pythonRepr } from '../python/repr.ts';
import { transformJson } from '../python/transform.ts';
import { FORKLINE_05_POLICY, type RedactionPolicy, type RedactionRule } from './policy.ts';

const MASK = '[REDACTED]';

/** A rule with its patterns in lower case. */
interface Matcher {
  readonly rule: RedactionRule;
  readonly key: string | undefined;
  readonly path: string | undefined;
}

/**
 * Redacts a payload as Forkline does before it records it (forkline-notes §13); the input is not changed. Rules look at members of
 * objects only, and do not look into what they replaced; patterns at every text that is left. No recursion.
 * Throws for a rule without a pattern: that is a bug of whoever wrote the policy.
 */
export function redact(payload: Json, policy: RedactionPolicy = FORKLINE_05_POLICY): Json {
  const matchers = policy.rules.map((rule): Matcher => {
    if (rule.keyPattern === undefined && rule.pathPattern === undefined) {
      throw new TypeError('a redaction rule needs a key pattern or a path pattern');
    }
    return { rule, key: rule.keyPattern?.toLowerCase(), path: rule.pathPattern?.toLowerCase() };
  });
  return transformJson<string>(
    payload,
    '',
    (value, parent, key) => {
      const path = key === undefined ? parent : parent === '' ? key : `${parent}.${key}`;
      if (key !== undefined) {
        const rule = matchers.find((matcher) => matches(matcher, key, path))?.rule;
        if (rule?.action === 'drop') return { drop: true };
        if (rule?.action === 'hash') return { value: `hash:${sha256Hex(spell(value, policy))}` };
        if (rule !== undefined) return { value: rule.replacement ?? MASK };
      }
      return typeof value === 'string' ? { value: replaceAll(value, policy) } : { descend: path };
    },
    policy.sortKeys ? sortedKeys : Object.keys,
  );
}

function matches({ key: wantedKey, path: wantedPath }: Matcher, key: string, path: string): boolean {
  if (wantedKey !== undefined && !key.toLowerCase().includes(wantedKey)) return false;
  return wantedPath === undefined || path.toLowerCase().includes(wantedPath);
}

function spell(value: Json, policy: RedactionPolicy): string {
  return policy.hashes === 'repr' ? pythonRepr(value) : pythonJson(value);
}

function replaceAll(text: string, policy: RedactionPolicy): string {
  return policy.patterns.reduce(
    (result, { pattern, replacement }) => result.replace(pattern, () => replacement),
    text,
  );
}
