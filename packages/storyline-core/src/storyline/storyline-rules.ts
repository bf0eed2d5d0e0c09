import type { Report } from '../issue.ts';
import { toBigInt } from '../json/number.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, isJsonObject, type Json, type JsonInteger, type JsonObject } from '../json/value.ts';
import { STORYLINE_VERSION } from '../storyline.ts';
import { describeJson } from './describe-json.ts';
import { readCounts } from './read-counts.ts';
import { readPrompt } from './read-prompt.ts';
import { change, type Rules } from './read-shape.ts';
import { isPointer } from './residual.ts';

/** The rules of one document; they remember the ids seen. */
export function storylineRules(report: Report): Rules {
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
