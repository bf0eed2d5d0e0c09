import { isJsonNumber, type Json, type JsonInteger } from '@pchronicle/storyline-core';

/** Python's `float` value of a number; its `int`s as BigInt where a double would not hold them. `==` and `<` compare the two kinds exactly. */
export function numberOf(value: JsonInteger): number | bigint {
  if (typeof value === 'number') return value;
  if (isFloat(value)) return Number(value.raw);
  return BigInt(value.raw);
}

/** Whether Python reads a number as a `float`: it has a fraction or an exponent, or is not finite (forkline-notes §6). */
export function isFloat(value: JsonInteger): boolean {
  if (typeof value === 'number') return !Number.isInteger(value);
  return /[.eENI]/.test(value.raw);
}

/** Whether a value is one of the numbers JSON has no spelling for: NaN, Infinity, -Infinity. */
export function isNonFinite(value: Json): boolean {
  return isJsonNumber(value)
    ? value.raw === 'NaN' || value.raw.endsWith('Infinity')
    : typeof value === 'number' && !Number.isFinite(value);
}

/** The text Python writes for a number in JSON: integers in full, floats as {@link floatText}. */
export function numberText(value: JsonInteger): string {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return floatText(value);
    return Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : BigInt(value).toString();
  }
  if (isFloat(value)) return floatText(Number(value.raw));
  return value.raw === '-0' ? '0' : value.raw;
}

/**
 * A float as Python's `repr` lays it out: shortest digits that read back, an exponent of at least two digits below
 * 1e-4 and from 1e16 on, else always a fraction; `NaN`, `Infinity` and `-Infinity` by these names.
 */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  const sign = value < 0 ? '-' : '';
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const magnitude = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${magnitude}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
