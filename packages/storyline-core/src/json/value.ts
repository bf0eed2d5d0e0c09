/** Any JSON value, exact: a number that a JS double would respell is a {@link JsonNumber} (decision G2). */
export type Json = null | boolean | number | string | JsonNumber | JsonArray | JsonObject;

/** A JSON array. */
export type JsonArray = readonly Json[];

/** A JSON object. Every own key is data, `__proto__` and `constructor` included (decision G4): write keys with {@link setOwn}, read them with {@link getOwn}. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON object under construction. */
export interface MutableJsonObject {
  [key: string]: Json;
}

/** A JSON integer: a JS number where a double holds it exactly, else a {@link JsonNumber}. */
export type JsonInteger = number | JsonNumber;

const brand = Symbol.for('pchronicle.JsonNumber');

/** A JSON number kept as its source token, because a double would change its value or (where a reader asks for it) its floatness. */
export class JsonNumber {
  /** The token as written in the source, for example `9007199254740993` or `1e400`. */
  readonly raw: string;

  /** Takes a valid JSON number token; it is not checked. */
  constructor(raw: string) {
    this.raw = raw;
  }

  /** Brand, so that two copies of this package in one process recognise each other's numbers. */
  get [brand](): true {
    return true;
  }

  /** The nearest double; may be ±Infinity. */
  valueOf(): number {
    return Number(this.raw);
  }

  /** The source token. */
  toString(): string {
    return this.raw;
  }
}

/** Whether a value is an exact number object. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  if (typeof value !== 'object' || value === null) return false;
  // Nearly every object is plain: its prototype says so faster than a look for the brand.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) return false;
  return (value as { [brand]?: unknown })[brand] === true;
}

/** Whether a value is a JSON object (not null, not an array, not an exact number). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value);
}

/** Whether a value is a JSON array. */
export function isJsonArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Whether a value is a JSON number, exact or double. */
export function isNumeric(value: Json | undefined): value is number | JsonNumber {
  return typeof value === 'number' || isJsonNumber(value);
}

/** Reads an own key; `undefined` when the object has no such own key (inherited names such as `constructor` are never seen). */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes an own key, `__proto__` included, without touching a prototype. */
export function setOwn(object: MutableJsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
