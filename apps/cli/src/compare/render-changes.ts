import type { Change, Json } from '@pchronicle/storyline-core';
import { stringify } from '@pchronicle/storyline-core';
import { countOf } from '../terminal/numbers.ts';
import { clip, safeLine } from '../terminal/safe.ts';
import type { Style } from '../terminal/style.ts';

const SHORT = 300;
const SHOWN = 20;

/** The differences of one turn or of the head: pointer, then what stood and what stands there. */
export function changeLines(changes: readonly Change[], full: boolean, style: Style): readonly string[] {
  const shown = full ? changes : changes.slice(0, SHOWN);
  const lines = shown.flatMap((change) => [
    `    ${style.strong(safeLine(change.pointer || 'the root'))}`,
    ...(change.left === undefined ? [] : [`      ${style.error(`- ${text(change.left, full)}`)}`]),
    ...(change.right === undefined ? [] : [`      ${style.good(`+ ${text(change.right, full)}`)}`]),
  ]);
  const rest = changes.length - shown.length;
  if (rest > 0) lines.push(style.faint(`    … ${countOf(rest, 'more difference')} (--full shows all)`));
  return lines;
}

function text(value: Json, full: boolean): string {
  const whole = stringify(value);
  return safeLine(full ? whole : clip(whole, SHORT));
}
