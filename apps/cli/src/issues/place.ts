import type { Issue, Place } from '@pchronicle/storyline-core';
import { formatCount } from '../terminal/numbers.ts';
import { clip, safeLine } from '../terminal/safe.ts';

// What a person calls the element of a member: arrays are counted from 1, maps are named by key.
const NOUNS: Readonly<Record<string, string>> = {
  attempts: 'attempt',
  steps: 'step',
  session_steps: 'row',
  messages: 'message',
  turns: 'turn',
  events: 'event',
  items: 'item',
  tools: 'call',
  tool_calls: 'call',
};

/** The place of an issue in words, from its pointer: `attempt "2", step 7` (the two outermost things that have a name). */
export function placeWords(pointer: string): string {
  const tokens = pointer.split('/').slice(1, 16);
  const words: string[] = [];
  for (let at = 0; at + 1 < tokens.length && words.length < 2; at += 1) {
    const member = tokens[at] ?? '';
    const noun = Object.hasOwn(NOUNS, member) ? NOUNS[member] : undefined;
    if (noun === undefined) continue;
    const token = tokens[at + 1] ?? '';
    const isMap = member === 'attempts';
    if (isMap) words.push(`${noun} "${clip(token.replaceAll('~1', '/').replaceAll('~0', '~'), 60)}"`);
    else if (/^\d{1,15}$/.test(token)) words.push(`${noun} ${formatCount(Number(token) + 1)}`);
    at += 1;
  }
  return words.join(', ');
}

/** Where an issue lies, before its message: `trajectories.json, attempt "2", step 7`. */
export function placePrefix(at: Place): string {
  const parts: string[] = [];
  if (at.source !== undefined) parts.push(at.source);
  if (at.line !== undefined && at.record !== undefined) parts.push(`line ${formatCount(at.line)}`);
  else if (at.record !== undefined) parts.push(`record ${formatCount(at.record)}`);
  const words = placeWords(at.pointer);
  if (words !== '') parts.push(words);
  return parts.join(', ');
}

/** Where an issue lies, after its message, for an editor or a script: `at byte 182,233 /attempts/2/trajectory`. */
export function placeSuffix(at: Place): string {
  const parts: string[] = [];
  if (at.column !== undefined && at.line !== undefined) {
    parts.push(`line ${formatCount(at.line)} column ${formatCount(at.column)}`);
  }
  if (at.offset !== undefined) parts.push(`byte ${formatCount(at.offset)}`);
  const where = parts.length === 0 ? '' : `at ${parts.join(', ')}`;
  const pointer = clip(at.pointer, 300);
  return [where, pointer].filter((part) => part !== '').join(' ');
}

/** An issue as one safe line for a person: place, message, code, and the exact place. */
export function issueLine(issue: Issue): string {
  const prefix = placePrefix(issue.at);
  const suffix = placeSuffix(issue.at);
  const sentence = `${prefix === '' ? '' : `${prefix}: `}${clip(issue.message, 2000)} (${issue.code})`;
  return safeLine(suffix === '' ? sentence : `${sentence} ${suffix}`);
}
