import {
  failures,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  restoreResiduals,
  type Storyline,
  type StorylineHead,
  type WrittenRecord,
} from '@pchronicle/storyline-core';
import { LAYOUT_SOURCE } from '../keys.ts';
import { reportRowLosses } from './losses.ts';
import { outlineTurns } from './outline.ts';
import { saysTheSame, type TriedRows, tryRows } from './reread.ts';
import { residualPlace, rootResiduals, sourceDocumentOf } from './residuals.ts';
import { sessionRows } from './rows.ts';
import { layoutJson, layoutOf } from './story-layout.ts';

/** What the rows of one output document share: its root members. */
export interface OutFrame {
  readonly root: JsonObject;
}

/** Rows that came from one file go into one document; all Storylines of other formats into one of their own. */
export function groupOf(head: StorylineHead): string {
  const source = sourceDocumentOf(head);
  return source === undefined ? 'other' : `source:${source}`;
}

/** Gathers the root members of a document; two Storylines that want different ones are an error (decision G12). */
export function makeFrame(heads: readonly StorylineHead[], report: Report): OutFrame | undefined {
  const { fail, failed } = failures(report);
  const root: MutableJsonObject = {};
  for (const head of heads) {
    restoreResiduals(
      root,
      rootResiduals(head),
      { createParents: false },
      (_severity, _code, pointer, message) => {
        fail(
          'openai-msg/root-residual-conflict',
          residualPlace(pointer),
          `${message} (session ${JSON.stringify(head.session)})`,
        );
      },
    );
  }
  return failed() ? undefined : { root };
}

/** Writes the rows of one Storyline (RFC-0009, mapping); `undefined` after an error, none when no turn of it makes a row. */
export function writeStory(story: Storyline, report: Report): Iterable<WrittenRecord> | undefined {
  const outline = outlineTurns(story);
  if (outline.rows.length === 0) {
    if (outline.asked === undefined) return [];
    const message = 'the user turn has no agent turn behind it';
    report('error', 'openai-msg/request-without-response', `/turns/${outline.asked}`, message);
    return undefined;
  }
  const layout = layoutOf(story, outline);
  let tried = layout && tryRows(story, outline, layout);
  if (tried?.reread === undefined || !saysTheSame(story.turns, tried.reread.turns)) {
    if (layoutJson(story) !== undefined) {
      const message = 'the layout does not fit the turns';
      report('warning', 'openai-msg/layout-ignored', `/unknown_fields/sources/${LAYOUT_SOURCE}`, message);
    }
    tried = tryRows(story, outline, undefined) as TriedRows;
  }
  const { planned, reread, fault, told } = tried;
  for (const { severity, code, at, message } of told.issues) report(severity, code, at.pointer, message);
  if (fault !== undefined) {
    const message = `a row cannot be read again: ${fault.message} (${fault.code})`;
    report('error', 'openai-msg/unreadable-row', '', message);
  }
  if (told.failed() || fault !== undefined) return undefined;
  reportRowLosses(story, outline.rows, reread, report);
  return sessionRows(planned);
}
