import type { Report } from '../issue.ts';
import { equalJson } from '../json/equal.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';

/** How residuals go back into a document. */
export interface RestoreOptions {
  /** Create object parents that are missing (decision G12); default true. Array positions are never created, except in `lists`. */
  readonly createParents?: boolean;
  /** Keys of arrays that residuals may build: a missing one is created, and elements may be added at its end. */
  readonly lists?: ReadonlySet<string>;
  /** Whether a residual may take the place of the value that the writer put at this pointer, because it synthesised it (decision G12); default no. */
  mayReplace?(pointer: string): boolean;
  /** Only residuals below this pointer are restored, and `root` is the value that stands there; default "", the whole document. */
  readonly base?: string;
}

/**
 * Puts residuals back at their pointers of a document under construction (storyline-v1 §8, decision G12).
 *
 * An equal value already there is left; a different one is replaced where `mayReplace` allows it. Errors, each at the residual's
 * pointer: `storyline/residual-collision` (another value is there), `storyline/residual-without-place` (no such parent or array
 * position), `storyline/residual-at-root` (the pointer "").
 * Containers below `root` are copied before they are changed, so that values shared with a Storyline stay as they are.
 */
export function restoreResiduals(
  root: MutableJsonObject,
  fields: JsonObject,
  options: RestoreOptions,
  report: Report,
): void {
  const base = options.base ?? '';
  const owned = new Set<Json>([root]);
  for (const pointer of Object.keys(fields)) {
    if (base !== '' && !pointer.startsWith(`${base}/`)) continue;
    if (pointer === '') {
      report(
        'error',
        'storyline/residual-at-root',
        '',
        'a residual at the pointer "" would replace the whole document',
      );
      continue;
    }
    const fault = restoreOne(
      root,
      pointer,
      pointer.slice(base.length + 1),
      getOwn(fields, pointer) ?? null,
      options,
      owned,
    );
    if (fault !== undefined) report('error', fault.code, pointer, fault.message);
  }
}

interface Fault {
  readonly code: 'storyline/residual-collision' | 'storyline/residual-without-place';
  readonly message: string;
}

function restoreOne(
  root: MutableJsonObject,
  pointer: string,
  path: string,
  value: Json,
  options: RestoreOptions,
  owned: Set<Json>,
): Fault | undefined {
  const tokens = path.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = tokens.pop() ?? '';
  let parent: Json = root;
  let grows = false;
  for (const token of tokens) {
    const child = childOf(parent, token);
    const isList = options.lists?.has(token) === true;
    if (child === undefined) {
      if (options.createParents === false || !canAdd(parent, token, grows))
        return withoutPlace(pointer, token);
      const created: Json = isList ? [] : {};
      owned.add(created);
      setChild(parent, token, created);
      parent = created;
    } else {
      parent = ownChild(parent, token, child, owned);
    }
    grows = isList;
  }
  const present = childOf(parent, last);
  if (present !== undefined) {
    if (options.mayReplace?.(pointer) !== true) {
      if (equalJson(present, value)) return undefined;
      return {
        code: 'storyline/residual-collision',
        message: `the residual at ${pointer} meets another value that the document already has there`,
      };
    }
  } else if (!canAdd(parent, last, grows)) {
    return withoutPlace(pointer, last);
  }
  setChild(parent, last, value);
  return undefined;
}

function withoutPlace(pointer: string, token: string): Fault {
  return {
    code: 'storyline/residual-without-place',
    message: `the residual at ${pointer} has no place: the document has no container that could hold ${JSON.stringify(token)}`,
  };
}

function childOf(parent: Json, token: string): Json | undefined {
  if (isJsonObject(parent)) return getOwn(parent, token);
  if (!isJsonArray(parent) || !/^(0|[1-9]\d*)$/.test(token)) return undefined;
  return parent[Number(token)];
}

function ownChild(parent: Json, token: string, child: Json, owned: Set<Json>): Json {
  if (owned.has(child) || typeof child !== 'object' || child === null) return child;
  const copy = isJsonArray(child) ? [...child] : isJsonObject(child) ? copyObject(child) : child;
  owned.add(copy);
  setChild(parent, token, copy);
  return copy;
}

/** Whether a parent can take a child that it does not have. */
function canAdd(parent: Json, token: string, grows: boolean): boolean {
  return isJsonArray(parent) ? grows && token === String(parent.length) : isJsonObject(parent);
}

function setChild(parent: Json, token: string, value: Json): void {
  if (isJsonArray(parent)) (parent as Json[])[Number(token)] = value;
  else setOwn(parent as MutableJsonObject, token, value);
}

function copyObject(object: JsonObject): JsonObject {
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(object)) setOwn(copy, key, object[key] ?? null);
  return copy;
}
