import {
  compareNumbers,
  equalJson,
  getOwn,
  isJsonObject,
  type Json,
  type JsonInteger,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  restoreResiduals,
  type StorylineHead,
} from '@pchronicle/storyline-core';
import { agree } from './agree.ts';
import { taskIdOf } from './attempt-ids.ts';
import { isBlank } from './emptiness.ts';
import { ACTF, residualPlace } from './leftovers.ts';

/** The root as the Storylines have it, and the pointers of what none of them says: the documented defaults stand there (decision G17). */
export function writeRoot(
  heads: readonly StorylineHead[],
  report: Report,
): { readonly root: MutableJsonObject; readonly defaults: ReadonlySet<string> } {
  const defaults = new Set<string>();
  const result = (key: string, accepts: (value: Json) => boolean, promoted = false): Json | undefined =>
    agree(
      heads,
      (head) => {
        const value = getOwn(head.task?.result ?? {}, key);
        if (value !== undefined && accepts(value)) return value;
        const metrics =
          promoted && isJsonObject(head.final_metrics) ? getOwn(head.final_metrics, key) : undefined;
        return metrics !== undefined && accepts(metrics) ? metrics : undefined;
      },
      'actf/conflicting-values',
      `/task/result/${key}`,
      key,
      report,
    );
  const or = (key: string, pointer: string, value: Json | undefined, fallback: Json): Json => {
    if (value !== undefined) return value;
    defaults.add(`/${key}`);
    const message = `no Storyline says what ${key} is; ${JSON.stringify(fallback)} is written`;
    report('info', 'actf/default-value', pointer, message);
    return fallback;
  };
  const k = agree<JsonInteger>(
    heads,
    (head) => head.task?.llm?.k,
    'actf/conflicting-values',
    '/task/llm/k',
    'k',
    report,
  );
  const recorded = or('k', '/task/llm/k', k, heads.length) as JsonInteger;
  const retryCount = result('retry_count', () => true);
  const retryCounts = result('retry_counts', () => true);
  const root: MutableJsonObject = {
    task_id: taskIdOf(heads[0] as StorylineHead),
    category: or(
      'category',
      '/task/result/category',
      result('category', (value) => typeof value === 'string' && !isBlank(value)),
      'unknown',
    ),
    k: compareNumbers(recorded, heads.length) < 0 ? heads.length : recorded,
    correct: or(
      'correct',
      '/task/result/task_correct',
      result('task_correct', (value) => typeof value === 'boolean', true),
      false,
    ),
    attempts_tried: heads.length,
    solved_at: result('solved_at', (value) => typeof value === 'string') ?? null,
    ...(retryCount === undefined ? {} : { retry_count: retryCount }),
    ...(retryCounts === undefined ? {} : { retry_counts: retryCounts }),
  };
  return { root, defaults };
}

/** Puts the residuals of the root back; the copies that the Storylines have must agree (RFC-0004, residuals). */
export function restoreRoot(
  root: MutableJsonObject,
  heads: readonly StorylineHead[],
  defaults: ReadonlySet<string>,
  report: Report,
): void {
  const merged = new Map<string, Json>();
  for (const head of heads) {
    const fields: JsonObject = head.unknown_fields?.sources[ACTF]?.fields ?? {};
    for (const pointer of Object.keys(fields)) {
      if (pointer === '/attempts' || pointer.startsWith('/attempts/')) continue;
      const value = getOwn(fields, pointer) ?? null;
      const known = merged.get(pointer);
      if (known !== undefined && !equalJson(known, value)) {
        const message = `the Storylines hold two different residuals for ${pointer} of one document; copies must agree`;
        report('error', 'actf/residual-conflict', residualPlace(pointer), message);
      }
      merged.set(pointer, value);
    }
  }
  const mayReplace = (pointer: string): boolean => defaults.has(pointer);
  const fail: Report = (severity, code, pointer, message) =>
    report(severity, code, residualPlace(pointer), message);
  restoreResiduals(root, Object.fromEntries(merged) as JsonObject, { mayReplace }, fail);
}
