import {
  describeJson,
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
    // No known key is a member of Object.prototype, so that this sees own keys only.
    const value = object[key];
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
  const code = faultOf(value, kind);
  if (code === undefined) {
    if (kind === 'objects') return checkElements(value as readonly Json[], key, `${parent}/${key}`, report);
    return kind !== 'time' || checkTime(value as string, key, `${parent}/${key}`, report);
  }
  const message = `${key} is ${describeJson(value)}; ${EXPECTED[kind]} is expected`;
  report('error', code, `${parent}/${key}`, message);
  return false;
}

function faultOf(value: Json, kind: Kind): IssueCode | undefined {
  if (!hasType(value, kind)) return 'actf/wrong-type';
  if (kind === 'positive') return Number(value) > 0 ? undefined : 'actf/not-positive';
  return (kind === 'text' || kind === 'time') && isBlank(value as string) ? 'actf/blank-text' : undefined;
}

/** Times that need no closer look: in the years 1700 to 2199, on a day that every month has. */
const PLAIN_TIME =
  /^(1[7-9]|2[01])\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Checks a time text; reports `actf/bad-time`. */
export function checkTime(value: string, name: string, pointer: string, report: Report): boolean {
  const time = PLAIN_TIME.test(value) ? undefined : parseTime(value);
  if (time === undefined || !('fault' in time)) return true;
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
