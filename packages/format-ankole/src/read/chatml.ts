import {
  appendPointer,
  getOwn,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  residuals,
  STORYLINE_VERSION,
  type Storyline,
} from '@pchronicle/storyline-core';
import { parseArguments } from '../arguments.ts';
import { messageFault } from '../canonical/is-canonical-message.ts';
import { parseEnvelope } from '../canonical/parse-envelope.ts';
import { CHATML_FORMAT, CHATML_VERSION, SOURCE } from '../keys.ts';
import { isEmpty, listOf, objectIn, textOf } from '../members.ts';
import { startTally, type Tally } from '../tally.ts';
import { readMessages } from './chatml-messages.ts';
import { finishStoryline } from './finish.ts';
import type { GroupContext, Part } from './parts.ts';
import { noteFlags, noteSourceLosses } from './source-losses.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of a bare `ankole_chatml` document; `undefined` where its envelope does not fit. */
export function readChatml(
  { value, pointer }: Part,
  { own, places, source, report }: GroupContext,
): Storyline | undefined {
  const envelope = parseEnvelope(value);
  if (!envelope.ok) {
    for (const path of envelope.paths)
      report(
        'error',
        'ankole/envelope',
        appendPointer(pointer, ...path.split('.')),
        `${path} is not as a document of ${CHATML_FORMAT} version ${CHATML_VERSION} has it`,
      );
    return undefined;
  }
  const given = getOwn(value, 'messages');
  const messages = listOf(given);
  const found = startTally();
  const session = `chatml-${hashJson(value).slice(0, 16)}`;
  const documentId = source === '' ? session : source;
  const residual = residuals(SOURCE, documentId);
  noteFlags(value, pointer, found);
  noteMessages(messages, appendPointer(pointer, 'messages'), found);
  const drafts = readMessages(messages, appendPointer(pointer, 'messages'));
  const header: MutableJsonObject = {};
  if (Object.hasOwn(value, 'metadata')) header.metadata = getOwn(envelope.output, 'metadata') ?? {};
  keepUnknown(value, pointer, residual.add);
  const turns = finishTurns(drafts, residual, found);
  found.tell(report);
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    agent: { id: SOURCE },
    origin: { format: SOURCE, schema_version: String(CHATML_VERSION), document_id: documentId },
    ...(isEmpty(header) ? {} : { meta: { chatml: header } }),
    turns,
  };
  const layout = { ...places, ...(Object.hasOwn(places, 'form') ? { parts: ['chatml'] } : {}) };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}

/** Members that no version 1 document has: they are dropped before a model sees it, and kept here. */
function keepUnknown(value: JsonObject, pointer: string, keep: (pointer: string, value: Json) => void): void {
  for (const key of Object.keys(value)) {
    if (!['format', 'version', 'metadata', 'messages'].includes(key))
      keep(appendPointer(pointer, key), value[key] as Json);
  }
  const metadata = objectIn(value, 'metadata');
  for (const key of Object.keys(metadata)) {
    if (key !== 'redacted' && key !== 'content_truncated')
      keep(appendPointer(pointer, 'metadata', key), metadata[key] as Json);
  }
}

/** Reports what is not canonical in messages, and what they have lost already; `first` is the position of the first one. */
export function noteMessages(messages: readonly Json[], base: string, found: Tally, first = 0): void {
  messages.forEach((message, index) => {
    const pointer = appendPointer(base, first + index);
    if (!isJsonObject(message)) {
      found.add(
        'warning',
        'ankole/not-canonical',
        pointer,
        'a message is an object, but this is none; it is kept',
      );
      return;
    }
    noteSourceLosses(message, pointer, found);
    const fault = messageFault(message);
    if (fault !== undefined)
      found.add(
        'warning',
        'ankole/not-canonical',
        appendPointer(pointer, fault.key),
        `${fault.key} of a canonical message is to be ${fault.expected}`,
      );
    const calls = getOwn(message, 'tool_calls');
    listOf(calls).forEach((call, position) => {
      if (!isJsonObject(call)) return;
      const text = textOf(objectIn(call, 'function'), 'arguments');
      if (text !== undefined && text !== '' && !isJsonText(text))
        found.add(
          'warning',
          'ankole/arguments-not-json',
          appendPointer(pointer, 'tool_calls', position, 'function', 'arguments'),
          'the arguments are no JSON text; they are kept as text',
        );
    });
  });
}

/** Whether a text spells a JSON value. */
export function isJsonText(text: string): boolean {
  return text.trimStart().startsWith('"')
    ? parseArguments(`[${text}]`) !== undefined
    : parseArguments(text) !== undefined;
}
