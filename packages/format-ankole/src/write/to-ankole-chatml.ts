import {
  type ChatmlDocument,
  collectIssues,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  leafStory,
  type MutableJsonObject,
  type Report,
  type Storyline,
  toChatml,
} from '@pchronicle/storyline-core';
import { without } from '../members.ts';

/**
 * The `ankole_chatml` document (version 1) of a Storyline of any format, canonical by notes §3: the chain to the newest leaf where there
 * are branches (decision K5), system messages as developer messages, roles that ChatML does not know as user messages. Each branch left
 * out is a loss.
 */
export function toAnkoleChatml(storyline: Storyline, report: Report): ChatmlDocument {
  const { turns } = leafStory(storyline, report);
  const { document } = toChatml(storyline, collectIssues().report, turns);
  let systems = 0;
  const strange = new Set<string>();
  const messages = document.messages.map((message) => {
    const role = getOwn(message, 'role');
    if (role === 'system') systems += 1;
    else if (typeof role === 'string' && !ROLES.has(role)) strange.add(role);
    return canonicalMessage(message, storyline);
  });
  if (systems > 0)
    report(
      'info',
      'ankole/system-as-developer',
      '/turns',
      `${systems === 1 ? 'a system message is' : `${systems} system messages are`} written as developer messages: ChatML documents of Ankole have no system role`,
    );
  for (const role of [...strange].slice(0, 20))
    report(
      'info',
      'ankole/role-as-user',
      '/turns',
      `messages of ${JSON.stringify(role.slice(0, 80))} are written as user messages`,
    );
  return { ...document, messages };
}

const ROLES: ReadonlySet<string> = new Set(['user', 'developer', 'assistant', 'tool']);

/** A message without what the canonical form forbids. Ids that are only numbers of turns are left out. */
function canonicalMessage(message: JsonObject, storyline: Storyline): JsonObject {
  const role = getOwn(message, 'role');
  const canonical: MutableJsonObject = without(message, 'role');
  canonical.role =
    role === 'system' ? 'developer' : typeof role === 'string' && ROLES.has(role) ? role : 'user';
  const id = getOwn(message, 'id');
  if (typeof id !== 'string' || isTurnNumber(id, storyline)) delete canonical.id;
  // A tool message of a turn that only says something answers no call.
  if (canonical.role === 'tool' && !Object.hasOwn(message, 'tool_call_id')) canonical.role = 'user';
  const content: Json = getOwn(message, 'content') ?? '';
  const isParts = isJsonArray(content) && canonical.role !== 'assistant' && canonical.role !== 'tool';
  canonical.content = typeof content === 'string' || (isParts && content.every(isJsonObject)) ? content : '';
  return canonical;
}

function isTurnNumber(id: string, { origin }: Storyline): boolean {
  return /^-?\d+$/.test(id) && origin?.format !== 'ankole';
}
