import {
  defined,
  equalJson,
  isJsonArray,
  type Json,
  type JsonObject,
  memberOf,
} from '@pchronicle/storyline-core';
import { USER } from '../history/flags.ts';
import { planMessages } from '../history/plan.ts';
import { type RowItems, type RowRecipe, writeItems } from '../history/recipe.ts';
import { viewMessage } from '../message/view.ts';
import { isEmptyForm, unlessEmpty } from '../values.ts';
import type { KnownMessages } from './known-messages.ts';
import type { RowPart } from './part.ts';
import type { ReadMessages } from './read-messages.ts';
import type { Selection } from './select.ts';

/**
 * What has to be remembered of a row, so that it comes back as it is (decision O2); nothing when the plain rule gives it. `history` are
 * the messages of the row before it and its output.
 */
export function recipeOf(
  row: JsonObject,
  selection: Selection,
  taken: ReadMessages,
  request: RowPart['request'],
  history: RowItems,
  known: KnownMessages,
): RowRecipe | undefined {
  const { answers, flags, items, positions, withoutContent } = taken;
  const list = memberOf(row, 'messages');
  const isPlain = (): boolean => {
    if (!isJsonArray(list)) return history.items.length === 0 && request === undefined;
    if (list.length === 0 || selection.output !== -1 || flags.some(Boolean)) return false;
    const planned = planMessages(history.items, defined({ answers, request: request?.content }), known.shape);
    return equalJson(planned, items);
  };
  const recipe = defined<RowRecipe>({
    messages: isPlain() ? undefined : isJsonArray(list) ? writeItems(taken, history) : null,
    response: selection.response === undefined ? false : undefined,
    without_content: unlessEmpty(withoutContent),
    calls: unlessEmpty(positions),
  });
  return unlessEmpty(recipe);
}

/** Whether the messages of a row are a plain new request and nothing else. */
export function isAlone({ items }: ReadMessages, [message]: readonly Json[]): boolean {
  if (items.length !== 1 || items[0] !== USER) return false;
  const view = viewMessage(message as JsonObject);
  return isEmptyForm(view.extras) && !view.withoutContent;
}
