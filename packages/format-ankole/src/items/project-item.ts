import { getOwn, isJsonObject, type Json, type JsonObject } from '@pchronicle/storyline-core';
import { filledText, listOf, objectOf, textOf } from '../members.ts';
import { messageOf, toolMessages } from './message.ts';
import { sortedJson } from './sorted-json.ts';
import { projectTool } from './tool-item.ts';

/** The messages of one item; `truncated` says that arguments or a result were cut (the turn's `content_truncated`). */
export interface ProjectedItem {
  readonly messages: readonly JsonObject[];
  readonly truncated: boolean;
}

/**
 * Projects one stored item of a job turn to canonical ChatML messages, as Ankole's readers do (specification, "background jobs"; notes
 * §2.3): one message for a text item, call and result for a tool item, none for everything else. The item is not changed.
 */
export function projectItem(item: Json): ProjectedItem {
  const type = textOf(objectOf(item), 'type');
  if (!isJsonObject(item) || type === undefined) return { messages: [], truncated: false };
  const message = projectText(type, item);
  if (message !== undefined) return { messages: [message], truncated: false };
  const projected = projectTool(type, item);
  if (projected === undefined) return { messages: [], truncated: false };
  return {
    messages: toolMessages(getOwn(item, 'id') ?? null, projected.tool),
    truncated: projected.truncated,
  };
}

function projectText(type: string, item: JsonObject): JsonObject | undefined {
  const id = textOf(item, 'id');
  const assistant = (content: string, phase: string): JsonObject =>
    messageOf(id, { role: 'assistant', content, metadata: { phase } });
  switch (type) {
    case 'userMessage':
      return messageOf(filledText(item, 'clientId') ?? id, {
        role: 'user',
        content: userContent(getOwn(item, 'content')),
      });
    case 'hookPrompt':
      return messageOf(id, { role: 'developer', content: sortedJson(getOwn(item, 'fragments') ?? []) });
    case 'agentMessage':
      return assistant(textOf(item, 'text') ?? '', filledText(item, 'phase') ?? 'assistant');
    case 'plan':
      return assistant(textOf(item, 'text') ?? '', 'plan');
    case 'reasoning': {
      const summary = reasoningSummary(item);
      return summary === '' ? undefined : assistant(summary, 'reasoning_summary');
    }
    case 'enteredReviewMode':
      return assistant(textOf(item, 'review') ?? '', 'entered_review_mode');
    case 'exitedReviewMode':
      return assistant(textOf(item, 'review') ?? '', 'exited_review_mode');
    default:
      return undefined;
  }
}

/** Text where all parts are text; else the parts that are objects, as they are. */
function userContent(content: Json | undefined): Json {
  const parts = listOf(content).filter(isJsonObject);
  if (!parts.every((part) => textOf(part, 'type') === 'text')) return parts;
  return parts.map((part) => textOf(part, 'text') ?? '').join('');
}

/** The summary lines that are not empty; raw reasoning is never shown. */
function reasoningSummary(item: JsonObject): string {
  const summary = getOwn(item, 'summary');
  const lines = listOf(summary).filter((line) => typeof line === 'string');
  return lines.filter((line) => line !== '').join('\n');
}
