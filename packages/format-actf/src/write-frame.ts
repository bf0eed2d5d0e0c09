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
  stringify,
} from '@pchronicle/storyline-core';
import type { ActfFrame, ActfRoot } from './document.ts';
import { isBlank } from './emptiness.ts';
import { checkRoot } from './frame.ts';
import { ACTF, residualPlace } from './leftovers.ts';
import { refuse } from './refuse.ts';

/** The key of a Storyline's attempt; `1` for one without an attempt_id. */
export function attemptIdOf(head: StorylineHead): string {
  return isBlank(head.attempt_id) ? '1' : (head.attempt_id as string);
}

function taskIdOf(head: StorylineHead): string {
  return isBlank(head.run) ? head.session : (head.run as string);
}

function sourceIdOf(head: StorylineHead): string | undefined {
  return head.unknown_fields?.sources[ACTF]?.source_document_id;
}

/** Storylines with an attempt_id share a document by source document and run; each other one has a document of its own (decision A10). */
export function groupOf(head: StorylineHead, index: number, source = ''): string {
  if (isBlank(head.attempt_id)) return `${index}`;
  const task = taskIdOf(head);
  return JSON.stringify([source, sourceIdOf(head) ?? task, task]);
}

/**
 * Makes the root of the document for these Storylines (decision A10). `undefined` after an error: `actf/no-storylines`,
 * `actf/missing-attempt-id`, `actf/duplicate-attempt-id`, `actf/different-runs`, `actf/different-source-documents`,
 * `actf/conflicting-values`, `actf/residual-conflict`, `actf/not-writable`.
 */
export function writeFrame(heads: readonly StorylineHead[], report: Report): ActfFrame | undefined {
  let failed = false;
  const noticed: Report = (severity, ...rest) => {
    failed ||= severity === 'error';
    report(severity, ...rest);
  };
  const [first] = heads;
  if (first === undefined) {
    report(
      'error',
      'actf/no-storylines',
      '',
      'there is no Storyline; an ACTF document needs at least one attempt',
    );
    return undefined;
  }
  checkIds(heads, noticed);
  agree(heads, taskIdOf, 'actf/different-runs', '/run', 'run', noticed);
  agree(
    heads,
    sourceIdOf,
    'actf/different-source-documents',
    `/unknown_fields/sources/${ACTF}/source_document_id`,
    'source document',
    noticed,
  );
  const { root, defaults } = makeRoot(heads, noticed);
  restoreRoot(root, heads, defaults, noticed);
  if (failed) return undefined;
  checkRoot(root, heads.map(attemptIdOf), refuse(noticed));
  return failed ? undefined : { root: root as ActfRoot, attempts: heads.length, defaults };
}

function checkIds(heads: readonly StorylineHead[], report: Report): void {
  const ids = new Set<string>();
  for (const head of heads) {
    const id = attemptIdOf(head);
    const story = `the Storyline of session ${JSON.stringify(head.session)}`;
    if (heads.length > 1 && isBlank(head.attempt_id)) {
      const message = `${story} has no attempt_id; each attempt of a document with ${heads.length} of them needs one`;
      report('error', 'actf/missing-attempt-id', '/attempt_id', message);
    } else if (ids.has(id)) {
      const message = `${story} has the attempt_id ${JSON.stringify(id)} of another one; each attempt of a document needs its own`;
      report('error', 'actf/duplicate-attempt-id', '/attempt_id', message);
    }
    ids.add(id);
  }
}

/** The one value that all Storylines which have an opinion share; two different ones are an error that names both. */
function agree<T extends Json>(
  heads: readonly StorylineHead[],
  pick: (head: StorylineHead) => T | undefined,
  code: 'actf/different-runs' | 'actf/different-source-documents' | 'actf/conflicting-values',
  pointer: string,
  name: string,
  report: Report,
): T | undefined {
  let agreed: { readonly value: T; readonly head: StorylineHead } | undefined;
  for (const head of heads) {
    const value = pick(head);
    if (value === undefined) continue;
    agreed ??= { value, head };
    if (equalJson(agreed.value, value)) continue;
    const say = (one: T, of: StorylineHead): string =>
      `${stringify(one).slice(0, 80)} (attempt ${JSON.stringify(attemptIdOf(of))})`;
    const message = `one document has one ${name}, but the Storylines say ${say(agreed.value, agreed.head)} and ${say(value, head)}`;
    report('error', code, pointer, message);
    break;
  }
  return agreed?.value;
}

function makeRoot(
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
function restoreRoot(
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
