import { findLayout, openSource } from '../containers/layout.ts';
import type { Steps } from '../containers/need.ts';
import { peek, positionOf, seek, take, type Window } from '../containers/window.ts';
import type { Container } from '../format.ts';
import { chooseContainer, describeMismatch } from './choose-container.ts';
import { collectIssuesAt } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { importArray, importLines, importSingle } from './import-documents.ts';
import { importExternal } from './import-external.ts';
import { importJoined } from './import-joined.ts';
import { importRows } from './import-rows.ts';
import { LINES_HINT } from './import-run.ts';
import { rowsOrLoneRow } from './lone-row.ts';
import type { StreamRun } from './stream-run.ts';
import { tellIssues } from './tell.ts';

/** The reading driver: what both `importStorylines` and `importDocument` run. */
export function* importSteps(run: StreamRun): Steps<void, ImportEvent> {
  if (run.source.parts === undefined) yield* importAlone(run);
  else yield* importJoined(run, run.source.parts);
  if (run.documents === 0 && run.errors === 0) {
    yield* reportAlone(
      run,
      'core/no-documents',
      'the input holds no document, but at least one was expected',
      0,
    );
  }
  const source = run.source.parts === undefined ? run.name : undefined;
  for (const issue of run.unknownKeys.issues(source)) yield { type: 'issue', issue };
  yield { type: 'progress', bytes: run.source.size };
}

function* importAlone(run: StreamRun): Steps<void, ImportEvent> {
  const window = yield* openSource(run.source);
  const external = yield* findExternal(run, window);
  if (external !== undefined) yield* importExternal(run, external);
  else yield* importJson(run, window);
}

/** How much of a first line is searched for its end before the input is taken for one document until that turns out wrong. */
const SEARCHED = 1024 * 1024;

function* importJson(run: StreamRun, window: Window, searched = SEARCHED): Steps<void, ImportEvent> {
  const beginning = positionOf(window);
  const { layout, isSure } = yield* findLayout(window, searched);
  if (layout === 'empty') {
    return yield* reportAlone(run, 'json/empty', 'there is no JSON value: the input is empty or blank', 0);
  }
  const chosen = chooseContainer(run.format.containers, layout);
  const container = chosen?.kind === 'rows' ? yield* rowsOrLoneRow(run, window, chosen) : chosen;
  if (container === undefined) {
    yield* peek(window);
    return yield* reportAlone(
      run,
      'core/unexpected-container',
      describeMismatch(run.format, layout),
      positionOf(window),
    );
  }
  const way = container.kind === 'rows' ? container.in : container.outer;
  if (way === 'lines') run.hint = LINES_HINT;
  if (container.kind === 'rows') yield* importRows(run, window, container);
  else if (way === 'lines') yield* importLines(run, window, container);
  else if (way === 'array') yield* importArray(run, window, container);
  else if (!(yield* importSingle(run, window, container, !isSure))) {
    // Nothing was told yet: look again, to the end of the first line.
    seek(window, beginning);
    yield* importJson(run, window, run.source.size);
  }
}

/** An error of the input as a whole. */
function* reportAlone(
  run: StreamRun,
  code: 'core/no-documents' | 'core/unexpected-container' | 'json/empty',
  message: string,
  offset: number,
): Steps<void, ImportEvent> {
  const shared = collectIssuesAt(run);
  shared.reportAt('error', code, '', message, offset);
  yield* tellIssues(run, shared, () => undefined);
}

/** The external container whose magic bytes the source begins with. */
function* findExternal(
  run: StreamRun,
  window: Window,
): Steps<Extract<Container, { readonly kind: 'external' }> | undefined> {
  for (const container of run.format.containers) {
    if (container.kind !== 'external' || container.magic.length > run.source.size) continue;
    const first = yield* take(window, 0, container.magic.length);
    if (container.magic.every((byte, index) => first[index] === byte)) return container;
  }
  return undefined;
}
