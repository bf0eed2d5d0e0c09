import { BrokenStructure } from '../containers/fault.ts';
import type { Steps } from '../containers/need.ts';
import { groupKeysOf } from '../containers/row-order.ts';
import { skipValue } from '../containers/skip-value.ts';
import { expectValue, nextMember } from '../containers/walk.ts';
import { moveAnchor, peek, positionOf, seek, type Window } from '../containers/window.ts';
import type { Container } from '../format.ts';
import { OPEN_OBJECT } from '../json/bytes.ts';
import type { ImportEvent } from './events.ts';
import type { StreamRun } from './stream-run.ts';

type RowsContainer = Extract<Container, { readonly kind: 'rows' }>;

/**
 * The container that fits an input which is one object: of rows in lines, one line looks like an object that should hold rows in a
 * member. It is a row when it has the group key and not that member. Leaves the window where it was.
 */
export function* rowsOrLoneRow(
  run: StreamRun,
  window: Window,
  container: RowsContainer,
): Steps<RowsContainer, ImportEvent> {
  const lines = run.format.containers.find(
    (other): other is RowsContainer => other.kind === 'rows' && other.in === 'lines',
  );
  if (container.in !== 'member' || lines === undefined) return container;
  const beginning = positionOf(window);
  let isRow = false;
  try {
    if ((yield* peek(window)) === OPEN_OBJECT) {
      window.at += 1;
      for (let isFirst = true; ; isFirst = false) {
        moveAnchor(window);
        const member = yield* nextMember(window, isFirst, run.limits, '');
        if (member?.key === container.member) isRow = false;
        if (member === undefined || member.key === container.member) break;
        if (groupKeysOf(container.group).includes(member.key)) isRow = true;
        yield* expectValue(window, '');
        yield* skipValue(window, run.limits);
      }
    }
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
  }
  seek(window, beginning);
  return isRow ? lines : container;
}
