import type { Limits } from '../import/events.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../json/bytes.ts';
import { advance } from '../json/scan.ts';
import { type Scan, startScan } from '../json/scan-state.ts';
import type { Fault } from './fault.ts';
import type { Steps } from './need.ts';
import { more, positionOf, type Window } from './window.ts';

/**
 * Steps over the value that starts at the window's position by counting brackets; what stands inside is looked at when it is parsed.
 * A value that breaks a limit is stepped over all the same, and the fault tells; so does truncation. Memory does not grow with the
 * value, unless a scan is given that plans how to parse it.
 */
export function* skipValue(
  window: Window,
  limits: Limits,
  scan: Scan = startScan(limits, false, Number.POSITIVE_INFINITY),
): Steps<Fault | undefined> {
  const first = window.bytes[window.at];
  const isToken = first !== QUOTE && first !== OPEN_ARRAY && first !== OPEN_OBJECT;
  return yield* isToken ? skipToken(window, limits, scan) : pass(window, limits, scan);
}

/** Steps over what is left of a container whose opening bracket was passed, and over its closing one. */
export function* skipRest(window: Window, limits: Limits): Steps<Fault | undefined> {
  return yield* pass(window, limits, startScan(limits, false, Number.POSITIVE_INFINITY, 1));
}

function* pass(window: Window, limits: Limits, scan: Scan): Steps<Fault | undefined> {
  const start = positionOf(window);
  for (;;) {
    window.at = advance(scan, window.bytes, window.at, window.base);
    if (scan.isOver) return faultOf(scan) ?? checkSize(window, start, limits);
    if (!(yield* more(window))) return faultOf(scan) ?? truncated(window, scan.string !== -1);
  }
}

function faultOf({ fault, limits }: Scan): Fault | undefined {
  if (fault === undefined) return undefined;
  return fault.what === 'depth'
    ? tooDeep(fault.offset, limits)
    : tooLarge('a string', fault.offset, limits.stringBytes);
}

/** Steps over a number or a literal; the plan of a number keeps its place. */
function* skipToken(window: Window, limits: Limits, scan: Scan): Steps<Fault | undefined> {
  const start = positionOf(window);
  do {
    while (window.at < window.bytes.length && !endsToken(window.bytes[window.at])) window.at += 1;
  } while (window.at === window.bytes.length && (yield* more(window)));
  scan.plan.numbers.push(start, positionOf(window));
  return checkSize(window, start, limits);
}

function endsToken(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || isBlank(byte);
}

function checkSize(window: Window, start: number, limits: Limits): Fault | undefined {
  return positionOf(window) - start > limits.recordBytes
    ? tooLarge('a record', start, limits.recordBytes)
    : undefined;
}

/** The fault of a value over a size limit. */
export function tooLarge(what: string, offset: number, limit: number): Fault {
  return {
    code: 'core/value-too-large',
    message: `${what} is longer than the limit of ${limit} bytes`,
    offset,
  };
}

function tooDeep(offset: number, limits: Limits): Fault {
  return {
    code: 'core/too-deep',
    message: `nesting goes deeper than the limit of ${limits.depth} levels`,
    offset,
  };
}

function truncated(window: Window, isInString: boolean): Fault {
  const message = `the input ends inside a ${isInString ? 'string' : 'value'}`;
  return { code: 'json/truncated', message, offset: window.end, isInString };
}
