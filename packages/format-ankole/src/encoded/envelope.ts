import type { JsonObject } from '@pchronicle/storyline-core';
import { textOf } from '../members.ts';

const OPEN = /^<ankole_untrusted_tool_output nonce="([^"<>]{1,200})">\n?/;
const CLOSE = /\n?<\/ankole_untrusted_tool_output(?: nonce="([^"<>]{1,200})")?>\s{0,8}$/;

/** A tool's output without the pseudo tag that rows of before August 2026 have around it, and the tag. */
export interface Unwrapped {
  readonly text: string;
  readonly envelope: { readonly open: string; readonly close: string };
}

/** Takes the tag off an output; `undefined` where there is none around all of it. What is inside is not looked at: it may quote such tags. */
export function unwrapOutput(output: string): Unwrapped | undefined {
  if (!output.startsWith('<ankole_untrusted_tool_output ')) return undefined;
  const open = OPEN.exec(output);
  // Looked for at the end only, so that a long output costs no more than a short one.
  const tail = output.slice(Math.max(open?.[0].length ?? 0, output.length - 512));
  const close = CLOSE.exec(tail);
  if (open === null || close === null || (close[1] !== undefined && close[1] !== open[1])) return undefined;
  const text = output.slice(open[0].length, output.length - close[0].length);
  return { text, envelope: { open: open[0], close: close[0] } };
}

/** Puts the tag around an output again. */
export function wrapOutput(text: string, envelope: JsonObject): string {
  return `${textOf(envelope, 'open') ?? ''}${text}${textOf(envelope, 'close') ?? ''}`;
}
