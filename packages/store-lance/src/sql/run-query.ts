import type { StoreError } from '../store-error.ts';
import type { FromWorker, SqlCell, ToWorker } from './messages.ts';
import type { QueryOptions, SqlResult } from './session.ts';
import { SqlError, sqlError } from './sql-error.ts';

/** What a query needs of its session. */
export interface QueryChannel {
  post(message: ToWorker): void;
  /** Who gets the worker's messages from now on. */
  listen(receive: (message: FromWorker) => void): void;
  /** Stops the running statement and its scans. */
  cancel(): void;
  /** What kept a scan of this statement from its end, if something did. */
  scanFailure(): StoreError | undefined;
  /** Ends the query's turn. */
  release(): void;
}

/** Sends one statement to the worker and gives its result as it comes. */
export async function runQuery(
  channel: QueryChannel,
  sql: string,
  message: ToWorker,
  query: QueryOptions,
): Promise<SqlResult> {
  const { post, cancel } = channel;
  if (query.signal?.aborted === true) {
    // The worker would begin after it was told to stop.
    channel.release();
    throw new DOMException('the query was stopped', 'AbortError');
  }
  const pending: FromWorker[] = [];
  let arrived: (() => void) | undefined;
  let stop: SqlError | DOMException | undefined;
  channel.listen((received) => {
    pending.push(received);
    arrived?.();
  });
  const next = async (): Promise<FromWorker> => {
    while (pending.length === 0) {
      await new Promise<void>((settle) => {
        arrived = settle;
      });
    }
    return pending.shift() as FromWorker;
  };
  const timer =
    query.seconds === undefined
      ? undefined
      : setTimeout(() => {
          stop = new SqlError(
            'store/sql-timeout',
            `the query took longer than ${query.seconds} seconds and was stopped`,
          );
          cancel();
        }, query.seconds * 1000);
  const aborted = (): void => {
    stop = new DOMException('the query was stopped', 'AbortError');
    cancel();
  };
  query.signal?.addEventListener('abort', aborted, { once: true });
  const finish = (): void => {
    clearTimeout(timer);
    query.signal?.removeEventListener('abort', aborted);
    channel.listen(() => undefined);
    channel.release();
  };
  const failed = (received: Extract<FromWorker, { type: 'failed' }>): Error => {
    finish();
    return stop ?? channel.scanFailure() ?? sqlError(sql, received.kind, received.message, received.offset);
  };
  post(message);
  const first = await next();
  if (first.type === 'failed') throw failed(first);
  if (first.type !== 'columns') throw new Error(`unexpected ${first.type} from the SQL worker`);
  let truncated = false;
  const batches = async function* (): AsyncGenerator<readonly (readonly SqlCell[])[]> {
    let ended = false;
    try {
      for (;;) {
        const received = await next();
        if (received.type === 'failed') {
          ended = true;
          throw failed(received);
        }
        if (received.type === 'done') {
          ended = true;
          truncated = received.truncated;
          finish();
          if (stop !== undefined) throw stop;
          return;
        }
        if (received.type === 'rows') {
          yield received.rows;
          post({ type: 'more' });
        }
      }
    } finally {
      if (!ended) {
        // Nobody wants the rest: let the worker come to its end.
        cancel();
        post({ type: 'stop' });
        for (let received = await next(); received.type !== 'done' && received.type !== 'failed'; )
          received = await next();
        finish();
      }
    }
  };
  return { columns: first.columns, batches: batches(), truncated: () => truncated };
}
