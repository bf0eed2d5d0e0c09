import type { Limits } from '../import/events.ts';
import type { Plan } from './plan.ts';

/** Bytes that are handed to native JSON.parse at a time: past some 128 kB V8 builds and parses strings four times slower. */
const PIECE = 48 * 1024;

/** A limit that a value breaks, and where. */
export interface LimitFault {
  readonly what: 'depth' | 'string';
  readonly offset: number;
}

/** A scan over one value, as far as it got. */
export interface Scan {
  readonly limits: Limits;
  readonly keepFloats: boolean;
  /** Bytes of a piece; Infinity for a scan that needs no plan. */
  readonly piece: number;
  readonly plan: Plan;
  /** By depth, from 1: the first byte that no step covers yet (-1 right after a container that got its own steps), and the first byte of the current member. */
  readonly pendingAt: number[];
  readonly memberAt: number[];
  depth: number;
  /** How many of the open containers, outermost first, have steps of their own. */
  assembled: number;
  /** Just past the container that got its own steps last. */
  assembledEnd: number;
  /** First byte of the string that the scan is in, or -1. */
  string: number;
  /** First byte of the number token that the scan is in, or -1. */
  number: number;
  /** Whether that token has an exponent, or a point where floats are kept. */
  isSuspicious: boolean;
  fault: LimitFault | undefined;
  /** The value has ended. */
  isOver: boolean;
}

/** Starts the scan of a value. `depth` brackets of it were passed already (then the plan means nothing). */
export function startScan(limits: Limits, keepFloats = false, piece = PIECE, depth = 0): Scan {
  return {
    limits,
    keepFloats,
    piece,
    plan: { steps: [], numbers: [], members: 0 },
    pendingAt: Array<number>(depth + 1).fill(0),
    memberAt: Array<number>(depth + 1).fill(0),
    depth,
    assembled: 0,
    assembledEnd: 0,
    string: -1,
    number: -1,
    isSuspicious: false,
    fault: undefined,
    isOver: false,
  };
}
