import {
  decodeText,
  encodeText,
  getOwn,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
  stringify,
} from '@pchronicle/storyline-core';
import { parseArguments } from '../arguments.ts';
import { assignOwn, isEmpty, textOf } from '../members.ts';
import { decodeBase64url, encodeBase64url } from './base64url.ts';

/** What the gateway puts in front of a marked tool parameter that it stores encoded; the older one last. It is no encryption (notes §1.3). */
const PREFIXES = ['ankole-aigateway-opaque-v1:', 'ankole-chat-encoded-v1:'] as const;

/** Arguments with their encoded values opened. */
export interface OpenedArguments {
  readonly args: Json;
  /** By parameter, what stood in front of its encoded value; `""` where the arguments are one encoded text. */
  readonly opaque: JsonObject;
  /** Encoded values that cannot be read. */
  readonly unreadable: number;
}

/** Opens the values of arguments that are encoded: the whole text, or direct text members of the object; nothing deeper. */
export function openArguments(args: Json): OpenedArguments {
  const opaque: MutableJsonObject = {};
  let unreadable = 0;
  const open = (key: string, text: string): string => {
    const prefix = prefixOf(text);
    if (prefix === undefined) return text;
    const opened = openText(text, prefix);
    if (opened === undefined) unreadable += 1;
    else setOwn(opaque, key, prefix);
    return opened ?? text;
  };
  if (typeof args === 'string') return { args: open('', args), opaque, unreadable };
  if (!isJsonObject(args)) return { args, opaque, unreadable };
  let opened: MutableJsonObject | undefined;
  for (const key of Object.keys(args)) {
    const member = args[key];
    if (typeof member !== 'string' || prefixOf(member) === undefined) continue;
    opened ??= assignOwn({}, args);
    setOwn(opened, key, open(key, member));
  }
  return { args: opened ?? args, opaque, unreadable };
}

/** Encodes values again that {@link openArguments} opened. */
export function closeArguments(args: Json, opaque: Json | undefined): Json {
  if (!isJsonObject(opaque) || isEmpty(opaque)) return args;
  const close = (text: Json, key: string): Json => {
    const prefix = textOf(opaque, key);
    return typeof text === 'string' && prefix !== undefined
      ? prefix + encodeBase64url(encodeText(text))
      : text;
  };
  if (!isJsonObject(args)) return close(args, '');
  const closed = assignOwn({}, args);
  for (const key of Object.keys(opaque)) {
    const member = getOwn(args, key);
    if (member !== undefined) setOwn(closed, key, close(member, key));
  }
  return closed;
}

/** Opens a text value as Ankole's readers do: one that is encoded as a whole, or the direct text members of a JSON object that it spells. */
export function revealOpaque(text: string): string {
  const whole = openArguments(text);
  if (whole.args !== text || !PREFIXES.some((prefix) => text.includes(prefix))) return whole.args as string;
  const value = parseArguments(text);
  if (!isJsonObject(value)) return text;
  const { args, opaque } = openArguments(value);
  return isEmpty(opaque) ? text : stringify(args);
}

function prefixOf(text: string): string | undefined {
  return PREFIXES.find((prefix) => text.startsWith(prefix));
}

function openText(text: string, prefix: string): string | undefined {
  const bytes = decodeBase64url(text.slice(prefix.length));
  return bytes === undefined ? undefined : decodeText(bytes);
}
