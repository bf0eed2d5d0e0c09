import {
  appendPointer,
  equalJson,
  fieldsOf,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parsePointer,
  type Report,
  type Storyline,
  type StorylineHead,
  setOwn,
  type WrittenRecord,
} from '@pchronicle/storyline-core';
import { LAYOUT_SOURCE, SOURCE } from '../keys.ts';
import { reportRowLosses } from './losses.ts';
import { rootResiduals } from './residuals.ts';
import { sessionRows } from './rows.ts';
import { planSession } from './session.ts';

/** What the rows of one output document share: its root members. */
export interface OutFrame {
  readonly root: JsonObject;
}

/** The source document that a Storyline came from, if that was one of rows (decision O17). */
export function sourceDocumentOf(head: StorylineHead): string | undefined {
  for (const source of [SOURCE, LAYOUT_SOURCE]) {
    if (fieldsOf(head, source) !== undefined) return head.unknown_fields?.sources[source]?.source_document_id;
  }
  return head.origin?.format === SOURCE ? (head.origin.document_id ?? '') : undefined;
}

/** Rows that came from one file go into one document; all Storylines of other formats into one of their own. */
export function groupOf(head: StorylineHead): string {
  const source = sourceDocumentOf(head);
  return source === undefined ? 'other' : `source:${source}`;
}

/** Gathers the root members of a document; two Storylines that want different ones are an error (decision G12). */
export function makeFrame(heads: readonly StorylineHead[], report: Report): OutFrame | undefined {
  const root: MutableJsonObject = {};
  let failed = false;
  for (const head of heads) {
    for (const [pointer, value] of rootResiduals(head)) {
      const tokens = parsePointer(pointer) ?? [];
      const [key] = tokens;
      const present = key === undefined || !Object.hasOwn(root, key) ? undefined : root[key];
      if (key === undefined || tokens.length > 1 || (present !== undefined && !equalJson(present, value))) {
        failed = true;
        report(
          'error',
          'openai-msg/root-residual-conflict',
          appendPointer('/unknown_fields/sources', SOURCE, 'fields', pointer),
          present === undefined
            ? `the residual at ${pointer} has no place: it points neither to a root member nor into a row`
            : `the Storylines of one document want different values at ${pointer}: ${JSON.stringify(head.session)} differs from those before it`,
        );
      } else setOwn(root, key, value as Json);
    }
  }
  return failed ? undefined : { root };
}

/** Writes the rows of one Storyline (RFC-0009, mapping); `undefined` after an error. */
export function writeStory(
  story: Storyline,
  _frame: OutFrame,
  report: Report,
): Iterable<WrittenRecord> | undefined {
  let failed = false;
  const watch: Report = (severity, ...rest) => {
    if (severity === 'error') failed = true;
    report(severity, ...rest);
  };
  const planned = planSession(story, watch);
  const [unanswered] = planned.outline.unanswered;
  if (planned.rows.length === 0 && unanswered !== undefined) {
    watch(
      'error',
      'openai-msg/request-without-response',
      `/turns/${unanswered.index}`,
      'the user turn has no agent turn behind it; a row needs an assistant output',
    );
  }
  if (failed) return undefined;
  reportRowLosses(story, planned, watch);
  return failed ? undefined : sessionRows(story, planned);
}
