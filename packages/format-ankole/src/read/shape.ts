import { getOwn, isJsonArray, isJsonObject, type JsonObject } from '@pchronicle/storyline-core';
import { CHATML_FORMAT } from '../keys.ts';
import { textOf } from '../members.ts';
import type { Shape } from './parts.ts';

/** Which of Ankole's shapes an object has, by its members; `undefined` for none. */
export function shapeOf(value: JsonObject): Shape | undefined {
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (getOwn(value, 'format') === CHATML_FORMAT) return 'chatml';
  if (isJsonObject(getOwn(value, 'job'))) return 'job';
  if (isJsonArray(getOwn(value, 'messages')) && isPage(value)) return 'page';
  if (has('turn_id') && has('item')) return 'item';
  if (has('turn_id') && has('content')) return 'group';
  if (isResponse(value)) return 'response';
  if (isArtifact(value)) return 'artifact';
  if (has('conversation_id') && has('content') && has('status')) return 'row';
  if (isJsonObject(getOwn(value, 'conversation')) && !has('id')) return 'conversation';
  return undefined;
}

/** A page has a cursor or, where that was cut away, rows. */
function isPage(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'next_cursor')) return true;
  const [first] = getOwn(value, 'messages') as readonly JsonObject[string][];
  return isJsonObject(first) && Object.hasOwn(first, 'conversation_id') && Object.hasOwn(first, 'content');
}

/** What `ai_gateway_compaction_artifacts` holds (notes §1.6): a version, and mostly a summary or the provider's own output. */
function isArtifact(value: JsonObject): boolean {
  const content = getOwn(value, 'content');
  if (!isJsonObject(content) || typeof getOwn(content, 'version') !== 'number') return false;
  const isKnown = isJsonObject(getOwn(content, 'summary')) || isJsonArray(getOwn(content, 'output'));
  return Object.hasOwn(value, 'id') && (isKnown || Object.hasOwn(value, 'conversation_id'));
}

function isResponse(value: JsonObject): boolean {
  const isNamed = getOwn(value, 'object') === 'response' || textOf(value, 'id')?.startsWith('resp_') === true;
  return isNamed && (Object.hasOwn(value, 'output') || Object.hasOwn(value, 'input'));
}
