import { JsonNumber, type TimeValue } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';

/** Any legal time value: RFC 3339 text in all its spellings, or epoch seconds down to the nanosecond (storyline-v1 §7). */
export function arbitraryTime(): fc.Arbitrary<TimeValue> {
  const two = (most: number, least = 0) =>
    fc.integer({ min: least, max: most }).map((value) => String(value).padStart(2, '0'));
  const text = fc
    .tuple(
      fc.integer({ min: 1700, max: 2200 }),
      two(12, 1),
      two(28, 1),
      fc.constantFrom('T', 't', ' '),
      two(23),
      two(59),
      two(59),
      fc.constantFrom('', '.5', '.123', '.000001', '.123456789', '.1234567890123'),
      fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+08:00', '-03:30'),
    )
    .map(
      ([year, month, day, separator, hour, minute, second, fraction, zone]) =>
        `${year}-${month}-${day}${separator}${hour}:${minute}:${second}${fraction}${zone}`,
    );
  const seconds = fc.oneof(
    fc.integer({ min: -8_000_000_000, max: 8_000_000_000 }),
    fc.constantFrom(0.5, 1786000000.25, -1.5),
    fc.constant(new JsonNumber('1786000000.123456789')),
  );
  return fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: seconds });
}
