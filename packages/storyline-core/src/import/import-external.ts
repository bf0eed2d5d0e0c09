import type { Steps } from '../containers/need.ts';
import type { Container, ExternalDocument, SourceRecord } from '../format.ts';
import { collectIssuesAt, type FindExtent, startDocument } from './document-run.ts';
import type { ImportEvent } from './events.ts';
import { guardReader } from './guard-reader.ts';
import { importRecord } from './import-record.ts';
import { readFrame } from './read-frame.ts';
import type { StreamRun } from './stream-run.ts';
import { endDocument, tellIssues, tellRecord } from './tell.ts';
import { startVerdict } from './verdict.ts';

const nowhere: FindExtent = () => undefined;

/** Imports what a format's own opener takes apart: each of its documents is one record. */
export function* importExternal(
  run: StreamRun,
  container: Extract<Container, { readonly kind: 'external' }>,
): Steps<void, ImportEvent> {
  const iterator = container.open(run.source)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = yield* nextDocument(run, iterator);
      if (next === undefined) return;
      yield* importOne(run, next);
    }
  } finally {
    if (iterator.return !== undefined) yield { type: 'wait', promise: iterator.return() };
  }
}

/** The next document; `undefined` at the end, or when the opener failed, which is reported. */
function* nextDocument(
  run: StreamRun,
  iterator: AsyncIterator<ExternalDocument>,
): Steps<ExternalDocument | undefined, ImportEvent> {
  // The promise is turned into a value here, so that a failure arrives as data whoever awaits it.
  const settled = iterator.next().then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const outcome = (yield { type: 'wait', promise: settled }) as Awaited<typeof settled>;
  if ('result' in outcome) return outcome.result.done === true ? undefined : outcome.result.value;
  const shared = collectIssuesAt(run);
  guardReader(run, shared, '', () => {
    throw outcome.error;
  });
  yield* tellIssues(run, shared, nowhere);
  return undefined;
}

function* importOne(run: StreamRun, external: ExternalDocument): Steps<void, ImportEvent> {
  const { pointer, source: _, ...place } = external.at;
  const issues = startDocument(run, place);
  yield { type: 'document', document: issues.document };
  const verdict = startVerdict();
  const frame = readFrame(run, issues, {
    root: external.root,
    keys: [],
    source: run.name,
    at: external.at,
  });
  if (frame === undefined) verdict.broken = true;
  else {
    const record: SourceRecord<unknown> = {
      frame: frame.value,
      source: run.name,
      at: external.at,
      values: () => external.values(),
    };
    const built = importRecord(run, issues, record, () => [pointer], undefined);
    yield* tellRecord(run, issues, verdict, built, { pointer }, nowhere);
  }
  yield* endDocument(run, issues, verdict, [{ start: 0, end: run.source.size }], nowhere);
}
