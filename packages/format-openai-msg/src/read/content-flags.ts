import { BARE, WITH_NULL, WITH_REASON, WITHOUT_NULL } from '../history/flags.ts';
import type { MessageView } from '../message/view.ts';

/** How a copy differs from the first occurrence in having a `content` key, which is null. */
export function contentFlags(first: MessageView | undefined, copy: MessageView): number {
  if (first === undefined || first.withoutContent === copy.withoutContent) return 0;
  return copy.withoutContent ? WITHOUT_NULL : WITH_NULL;
}

/** Whether flags change nothing of a message: they can be written for its neighbours' sake. */
export function isUnchangedBy(view: MessageView | undefined, flags: number): boolean {
  if (view === undefined) return true;
  if ((flags & WITH_REASON) !== 0 && view.reason !== undefined) return false;
  if ((flags & BARE) !== 0 && view.extras.length > 0) return false;
  if ((flags & WITHOUT_NULL) !== 0 && view.content === null && !view.withoutContent) return false;
  return (flags & WITH_NULL) === 0 || !view.withoutContent;
}
