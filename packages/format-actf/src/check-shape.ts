import {
  describeJson,
  getOwn,
  type IssueCode,
  isInteger,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  parseTime,
  type Report,
} from '@pchronicle/storyline-core';
import { isBlank } from './emptiness.ts';
import type { Kind, Shape } from './shapes.ts';

const EXPECTED: { readonly [kind in Kind]: string } = {
  any: 'a value',
  boolean: 'true or false',
  string: 'a text or null',
  text: 'a text that is not blank',
  time: 'a time as RFC3339 text',
  positive: 'an integer above 0',
  integer: 'an integer',
  number: 'a number or null',
  object: 'an object',
  objects: 'an array of objects',
  trajectory: 'an object, or the event array of a failed run,',
};

/**
 * Checks the known keys of an object against its shape and reports every fault: `actf/missing-key` (at the object),
 * `actf/wrong-type`, `actf/blank-text`, `actf/not-positive`, `actf/bad-time` (at the value). False after any of them.
 */
export function checkShape(object: JsonObject, shape: Shape, pointer: string, report: Report): boolean {
  let fine = true;
  for (const { key, kind, required } of rulesOf(shape)) {
    const value = getOwn(object, key);
    if (value === undefined) {
      if (!required) continue;
      report('error', 'actf/missing-key', pointer, `there is no ${key} here; ${EXPECTED[kind]} is expected`);
      fine = false;
    } else if (value !== null || required) {
      fine = checkValue(value, kind, key, pointer, report) && fine;
    }
  }
  return fine;
}

interface Rule {
  readonly key: string;
  readonly kind: Kind;
  readonly required: boolean;
}

const rules = new Map<Shape, readonly Rule[]>();

function rulesOf(shape: Shape): readonly Rule[] {
  let found = rules.get(shape);
  if (found === undefined) {
    found = Object.entries(shape).map(([key, rule]) => {
      const required = rule.endsWith('!');
      return { key, kind: (required ? rule.slice(0, -1) : rule) as Kind, required };
    });
    rules.set(shape, found);
  }
  return found;
}

function checkValue(value: Json, kind: Kind, key: string, parent: string, report: Report): boolean {
  const fail = (code: IssueCode): false => {
    report(
      'error',
      code,
      `${parent}/${key}`,
      `${key} is ${describeJson(value)}; ${EXPECTED[kind]} is expected`,
    );
    return false;
  };
  if (!hasType(value, kind)) return fail('actf/wrong-type');
  switch (kind) {
    case 'objects':
      return checkElements(value as readonly Json[], key, `${parent}/${key}`, report);
    case 'positive':
      return Number(value) > 0 || fail('actf/not-positive');
    case 'text':
      return !isBlank(value as string) || fail('actf/blank-text');
    case 'time':
      if (isBlank(value as string)) return fail('actf/blank-text');
      return checkTime(value as string, key, `${parent}/${key}`, report);
    default:
      return true;
  }
}

/** Checks a time text; reports `actf/bad-time`. */
export function checkTime(value: string, name: string, pointer: string, report: Report): boolean {
  const time = parseTime(value);
  if (!('fault' in time)) return true;
  report('error', 'actf/bad-time', pointer, `${name} is ${describeJson(value)}; ${time.fault}`);
  return false;
}

function checkElements(array: readonly Json[], name: string, pointer: string, report: Report): boolean {
  let fine = true;
  for (let index = 0; index < array.length; index += 1) {
    const element = array[index];
    if (isJsonObject(element)) continue;
    report(
      'error',
      'actf/wrong-type',
      `${pointer}/${index}`,
      `an element of ${name} is ${describeJson(element)}; an object is expected`,
    );
    fine = false;
  }
  return fine;
}

function hasType(value: Json, kind: Kind): boolean {
  switch (kind) {
    case 'any':
      return value !== null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'positive':
    case 'integer':
      return isInteger(value);
    case 'number':
      return isNumeric(value);
    case 'object':
      return isJsonObject(value);
    case 'objects':
      return isJsonArray(value);
    case 'trajectory':
      return isJsonObject(value) || isJsonArray(value);
    default:
      return typeof value === 'string';
  }
}
