import { BLANK, CLOSE, MEMBERS, OPEN } from './plan.ts';
import type { Scan } from './scan-state.ts';

/** Gives steps to all open containers that have none yet. */
function assemble(scan: Scan, depth: number): void {
  const { steps } = scan.plan;
  while (scan.assembled < depth) {
    const parent = scan.assembled;
    const bracket = (scan.pendingAt[parent + 1] as number) - 1;
    let key = bracket;
    if (parent > 0) {
      const pending = scan.pendingAt[parent] as number;
      key = scan.memberAt[parent] as number;
      if (key > pending && pending !== -1) steps.push(MEMBERS, pending, key - 1);
      scan.pendingAt[parent] = -1;
    }
    steps.push(OPEN, key, bracket);
    scan.assembled += 1;
  }
}

/** A comma behind a container that got its own steps, or behind more than a piece of members. */
export function endPiece(scan: Scan, position: number, depth: number): void {
  const { steps } = scan.plan;
  const pending = scan.pendingAt[depth] as number;
  if (pending === -1) steps.push(BLANK, scan.assembledEnd, position);
  else {
    assemble(scan, depth);
    steps.push(MEMBERS, pending, position);
  }
  scan.pendingAt[depth] = position + 1;
}

/** The closing bracket of a container that has steps of its own. */
export function endContainer(scan: Scan, position: number, depth: number): void {
  const { steps } = scan.plan;
  const pending = scan.pendingAt[depth] as number;
  if (pending === -1) steps.push(BLANK, scan.assembledEnd, position);
  else steps.push(MEMBERS, pending, position);
  steps.push(CLOSE, position, 0);
  scan.assembled -= 1;
  scan.assembledEnd = position + 1;
}
