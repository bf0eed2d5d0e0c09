import type { Report } from '../issue.ts';
import { toBigInt } from '../json/number.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, isJsonObject, type Json, type JsonInteger, type JsonObject } from '../json/value.ts';
import { STORYLINE_VERSION, type Storyline, type UnknownFields } from '../storyline.ts';
import { compareCounts } from './compare-counts.ts';
import { countUnknownKeys } from './count-unknown-keys.ts';
import { describeJson } from './describe-json.ts';
import { change, type Rules, readShape } from './read-shape.ts';
import { isPointer } from './residual.ts';

/**
 * Reads a Storyline v1 document: checks every rule of storyline-v1 (§2 to §8, §11) and gives the canonical form.
 *
 * Canonical: no optional key is null; inside `task.result` no "", {} or null; a "" prompt side only in the clear pair of a turn;
 * no `parent.rel` of `spawn`, no call `kind` of ""; no empty `env`, `env.state` or residual block; `unknown_key_counts` recounted,
 * there exactly when `unknown_fields` is. Objects that are canonical already are shared with the input, not copied.
 *
 * `undefined` after an error. `pointer` is where the value stands in its document; issues point below it.
 */
export function readStoryline(value: Json, report: Report, pointer = ''): Storyline | undefined {
  return (readShape(value, 'storyline', pointer, storylineRules(report), report) ?? undefined) as unknown as
    | Storyline
    | undefined;
}

/** The rules of one document; they remember the ids seen. */
function storylineRules(report: Report): Rules {
  const turnIds = new Map<string, string>();
  const callIds = new Map<string, string>();
  return {
    storyline: (storyline, pointer) => {
      const version = getOwn(storyline, 'schema_version');
      if (version !== STORYLINE_VERSION) {
        report(
          'error',
          'storyline/schema-version',
          `${pointer}/schema_version`,
          `schema_version is ${describeJson(version)}; the text "${STORYLINE_VERSION}" is expected`,
        );
        return undefined;
      }
      return readCounts(storyline, pointer, report);
    },
    parent: (parent) =>
      getOwn(parent, 'rel') === 'spawn' ? change(parent, new Map([['rel', undefined]])) : parent,
    env: (env) => {
      const state = getOwn(env, 'state');
      const canonical =
        isJsonObject(state) && Object.keys(state).length === 0
          ? change(env, new Map([['state', undefined]]))
          : env;
      return presentOrNull(canonical);
    },
    llm: presentOrNull,
    result: (result) => {
      const absent = Object.keys(result).filter((key) => isAbsence(result[key]));
      return presentOrNull(
        absent.length === 0 ? result : change(result, new Map(absent.map((key) => [key, undefined]))),
      );
    },
    task: (task, pointer) => {
      if (Object.keys(task).length > 0) return task;
      report(
        'error',
        'storyline/empty-task',
        pointer,
        'the task is empty; it needs a part (env, llm or result) that is not',
      );
      return undefined;
    },
    prompt: (prompt, pointer) => readPrompt(prompt, pointer, false, report),
    turnPrompt: (prompt, pointer) => readPrompt(prompt, pointer, true, report),
    response: (response, pointer) => {
      if (Object.keys(response).length > 0) return response;
      report(
        'error',
        'storyline/empty-response',
        pointer,
        'the response is empty; it needs a status or an exit_code',
      );
      return undefined;
    },
    call: (call, pointer) => {
      if (!claim(callIds, String(call.tcid), `${pointer}/tcid`)) {
        const first = callIds.get(String(call.tcid)) ?? '';
        report(
          'error',
          'storyline/duplicate-tool-call-id',
          `${pointer}/tcid`,
          `the tcid ${describeJson(call.tcid)} is taken by ${first}; each tool call of a document needs its own`,
        );
        return undefined;
      }
      return call.kind === '' ? change(call, new Map([['kind', undefined]])) : call;
    },
    turn: (turn, pointer) => {
      const id = String(toBigInt(turn.id as JsonInteger));
      let failed = false;
      if (!claim(turnIds, id, `${pointer}/id`)) {
        failed = true;
        report(
          'error',
          'storyline/duplicate-turn-id',
          `${pointer}/id`,
          `the turn id ${id} is taken by ${turnIds.get(id)}; each turn of a document needs its own`,
        );
      }
      if (turn.copied === true && Object.hasOwn(turn, 'prompt')) {
        failed = true;
        report(
          'error',
          'storyline/prompt-on-copied-turn',
          `${pointer}/prompt`,
          'a turn with copied = true has a prompt; copied context carries none',
        );
      }
      return failed ? undefined : turn;
    },
    residualSource: (block, pointer) => {
      const fields = block.fields as JsonObject;
      const keys = Object.keys(fields);
      const wrong = keys.filter((key) => !isPointer(key));
      for (const key of wrong) {
        report(
          'error',
          'storyline/bad-residual-pointer',
          appendPointer(`${pointer}/fields`, key),
          `${JSON.stringify(key)} is no RFC 6901 pointer; residual keys are pointers into their source document`,
        );
      }
      if (wrong.length > 0) return undefined;
      return keys.length === 0 ? null : block;
    },
    unknownFields: (unknownFields) => (isEmptyObject(unknownFields.sources) ? null : unknownFields),
  };
}

/** Recounts the residuals and compares (storyline-v1 §8, decision G15). */
function readCounts(storyline: JsonObject, pointer: string, report: Report): JsonObject | undefined {
  const fields = getOwn(storyline, 'unknown_fields') as unknown as UnknownFields | undefined;
  const given = getOwn(storyline, 'unknown_key_counts');
  if (fields === undefined && given === undefined) return storyline;
  const counted = fields === undefined ? {} : countUnknownKeys(fields);
  if (
    given !== undefined &&
    !compareCounts(given as JsonObject, counted, `${pointer}/unknown_key_counts`, report)
  ) {
    return undefined;
  }
  if (fields === undefined) return change(storyline, new Map([['unknown_key_counts', undefined]]));
  if (given !== undefined && isPlainCounts(given as JsonObject)) return storyline;
  return { ...storyline, unknown_key_counts: counted };
}

/** Counts that compared equal and are spelled as JS numbers need no respelling. */
function isPlainCounts(counts: JsonObject): boolean {
  return Object.values(counts).every((ofSource) =>
    Object.values(ofSource as JsonObject).every((count) => typeof count === 'number'),
  );
}

function readPrompt(
  prompt: JsonObject,
  pointer: string,
  ofTurn: boolean,
  report: Report,
): JsonObject | undefined {
  const empty = Object.keys(prompt).filter((side) => prompt[side] === '');
  const sides = Object.keys(prompt).length;
  if (sides > empty.length) {
    return empty.length === 0 ? prompt : change(prompt, new Map(empty.map((side) => [side, undefined])));
  }
  if (ofTurn && sides === 2) return prompt;
  report(
    'error',
    'storyline/empty-prompt',
    pointer,
    ofTurn
      ? 'the prompt is empty; a turn needs a side that is not, or exactly {"system": "", "user": ""} to clear the prompt of the document'
      : 'the prompt is empty; the prompt of a document needs a system or user side that is not',
  );
  return undefined;
}

function claim(taken: Map<string, string>, id: string, pointer: string): boolean {
  if (taken.has(id)) return false;
  taken.set(id, pointer);
  return true;
}

function presentOrNull(object: JsonObject): JsonObject | null {
  return Object.keys(object).length === 0 ? null : object;
}

/** Inside `task.result`, "", {} and null equal absence; false, 0 and [] are values (storyline-v1 §4, decision G16). */
function isAbsence(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || isEmptyObject(value);
}

function isEmptyObject(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
