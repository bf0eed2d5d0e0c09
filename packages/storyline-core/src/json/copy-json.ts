import type { Limits } from '../import/events.ts';
import type { IssueCode, Severity } from '../issue.ts';
import { appendPointer } from './pointer.ts';
import { isJsonNumber, type Json, JsonNumber, type MutableJsonObject, setOwn } from './value.ts';

/** What to do with values that are no JSON. */
export interface CopyOptions {
  readonly limits: Limits;
  readonly nonFinite: 'error' | 'null' | 'keep';
  report(severity: Severity, code: IssueCode, pointer: string, message: string): void;
}

/** A container whose copy is being made. */
interface Frame {
  readonly from: Readonly<Record<string, unknown>> | readonly unknown[];
  readonly to: Json[] | MutableJsonObject;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Copies a value that a caller hands over as JSON, and reports what is no JSON in it: an `undefined` member is left out with a
 * warning; NaN, Infinity, functions, symbols, bigints, class instances, cycles and getters that throw are errors (`core/not-json`).
 * What is reported as an error becomes null in the copy.
 */
export function copyJson(input: unknown, options: CopyOptions): Json {
  const { limits, report } = options;
  const holder: Json[] = [];
  const stack: Frame[] = [{ from: [input], to: holder, keys: undefined, length: 1, next: 0 }];
  /** Containers that are being copied: meeting one again is a cycle. */
  const open = new Set<unknown>();
  let nodes = 0;

  const pointerHere = (): string => {
    let pointer = '';
    for (const frame of stack.slice(1))
      pointer = appendPointer(pointer, frame.keys?.[frame.next - 1] ?? frame.next - 1);
    return pointer;
  };
  const fault = (message: string, code: IssueCode = 'core/not-json'): null => {
    report('error', code, pointerHere(), message);
    return null;
  };
  const number = (value: number): Json => {
    if (Number.isFinite(value)) return value;
    if (options.nonFinite === 'keep') return new JsonNumber(String(value));
    const asNull = options.nonFinite === 'null';
    const message = `${value} is no JSON number; ${asNull ? 'read as null' : 'expected a finite number or null'}`;
    report(asNull ? 'warning' : 'error', 'json/non-finite', pointerHere(), message);
    return null;
  };
  /** Starts the copy of a container. */
  const enter = (from: object): Json => {
    if (open.has(from)) return fault('this value contains itself; JSON has no cycles');
    if (stack.length > limits.depth)
      return fault(`nesting goes deeper than the limit of ${limits.depth} levels`, 'core/too-deep');
    const keys = Array.isArray(from) ? undefined : Object.keys(from);
    const to: Json[] | MutableJsonObject = keys === undefined ? [] : {};
    open.add(from);
    stack.push({
      from: from as Frame['from'],
      to,
      keys,
      length: keys?.length ?? (from as unknown[]).length,
      next: 0,
    });
    return to as Json;
  };
  const copy = (value: unknown): Json => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return number(value);
    if (isJsonNumber(value)) return value;
    if (typeof value === 'object' && isPlain(value)) return enter(value);
    return fault(
      `found ${describe(value)} where JSON was expected (null, boolean, number, string, array or plain object)`,
    );
  };

  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.length) {
      stack.pop();
      open.delete(frame.from);
      continue;
    }
    const key = frame.keys?.[frame.next];
    frame.next += 1;
    nodes += 1;
    if (nodes > limits.recordBytes) {
      fault(`the value has more than ${limits.recordBytes} parts`, 'core/value-too-large');
      break;
    }
    let member: unknown;
    try {
      member = (frame.from as Readonly<Record<string | number, unknown>>)[key ?? frame.next - 1];
    } catch (error) {
      fault(`this member cannot be read: ${String(error)}`);
      continue;
    }
    if (key === undefined) (frame.to as Json[]).push(copy(member));
    else if (member === undefined) {
      report(
        'warning',
        'core/not-json',
        pointerHere(),
        'undefined is no JSON value; the member was left out',
      );
    } else setOwn(frame.to as MutableJsonObject, key, copy(member));
  }
  return holder[0] ?? null;
}

/** Arrays, and objects without a class, of any realm. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'undefined' : `a ${typeof value}`;
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object with a class';
}
