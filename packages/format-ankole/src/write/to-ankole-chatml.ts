import {
  type ChatmlDocument,
  collectIssues,
  leafStory,
  type Report,
  type Storyline,
  toChatml,
} from '@pchronicle/storyline-core';
import { canonicalMessages } from './canonical-messages.ts';

/**
 * The `ankole_chatml` document (version 1) of a Storyline of any format, canonical by notes §3: the chain to the newest leaf where there
 * are branches (decision K5), system messages as developer messages, roles that ChatML does not know as user messages. Each branch left
 * out is a loss.
 */
export function toAnkoleChatml(storyline: Storyline, report: Report): ChatmlDocument {
  const { turns } = leafStory(storyline, report);
  const { document, sources } = toChatml(storyline, collectIssues().report, turns);
  const canonical = canonicalMessages();
  const messages = document.messages.map((message, at) => canonical.make(message, sources[at]?.turn));
  canonical.tell(report);
  return { ...document, messages };
}
