import { collectIssues, type Issue } from '../issue.ts';
import type { JsonObject } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import type { ChatmlDocument } from './chatml-document.ts';
import { modelVisibleChatml } from './model-visible-chatml.ts';
import { type PairingPolicy, pairMessages } from './pair-messages.ts';
import { toChatml } from './to-chatml.ts';
import { type View, viewTurns } from './view-turns.ts';

/** How {@link project} shows a Storyline. */
export interface ProjectOptions extends PairingPolicy {
  /** Default `model`. */
  readonly view?: View;
  /** Row at which the chain ends; default the newest leaf. */
  readonly leaf?: string;
  /** Where call numbers start anew: never (`document`, default), or with each turn, that is each `env.request_id` (decision K6). */
  readonly aliasScope?: 'document' | 'turn';
  /** Default `call_`. */
  readonly aliasPrefix?: string;
}

/** A view of a Storyline as a ChatML document. */
export interface Projection {
  readonly document: ChatmlDocument;
  readonly issues: readonly Issue[];
}

/**
 * Shows a Storyline of any format as ChatML, in one of the named views. `provider` drops what is not strictly paired, unless a policy
 * says otherwise; `model` hides message ids and numbers the call ids. The Storyline is not changed.
 */
export function project(storyline: Storyline, options: ProjectOptions = {}): Projection {
  const view = options.view ?? 'model';
  const { report, issues } = collectIssues();
  const unshown = storyline.unknown_key_counts?.['openai-msg']?.['/session_steps/*/messages/*/role'];
  if (unshown !== undefined)
    report(
      'warning',
      'core/history-not-shown',
      '/unknown_fields',
      `${unshown} of the messages that rows repeat were produced by no row (O12); they are kept as residuals, and no view shows them`,
    );
  const turns = viewTurns(storyline, view, report, options.leaf);
  const { document, sources } = toChatml(storyline, report, turns, view === 'audit');
  const strict = view === 'provider';
  const paired = pairMessages(
    document.messages,
    sources,
    {
      orphans: options.orphans ?? (strict ? 'drop' : 'keep'),
      duplicates: options.duplicates ?? (strict ? 'first' : 'keep'),
      unanswered: options.unanswered ?? 'keep',
    },
    report,
  );
  const shown: ChatmlDocument = { ...document, messages: paired.messages };
  if (view !== 'model') return { document: shown, issues };
  const visible = modelVisibleChatml(shown, {
    ...(options.aliasPrefix === undefined ? {} : { prefix: options.aliasPrefix }),
    ...(options.aliasScope === 'turn'
      ? { scope: (at) => sources[paired.positions[at] ?? -1]?.turn.env?.request_id ?? '' }
      : {}),
  });
  return { document: visible as ChatmlDocument, issues };
}

/** What a model would see of a Storyline: the `model` view (decision K7). */
export function modelVisible(storyline: Storyline, options: Omit<ProjectOptions, 'view'> = {}): JsonObject {
  return project(storyline, { ...options, view: 'model' }).document;
}
