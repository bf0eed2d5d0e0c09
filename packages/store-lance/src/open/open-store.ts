import type { Issue, IssueCode } from '@pchronicle/storyline-core';
import { closedError, type StoreContext } from '../context.ts';
import { connectLance } from '../lance/connect.ts';
import { explainCreation, explainFailure, isSecretName } from '../lance/explain-failure.ts';
import { onUnreadableIndex as listenForIndexes } from '../lance/filtered-batches.ts';
import { loadLance } from '../lance/load-lance.ts';
import { TABLE_NAMES, type TableName } from '../layout.ts';
import { makeStore } from '../make-store.ts';
import type { Store } from '../store.ts';
import { locateStore } from '../uri.ts';
import { inspectFolder } from './inspect-folder.ts';
import { openTables } from './open-tables.ts';

/** Options of opening a store. */
export interface OpenOptions {
  /** Make the store if there is none (writers), instead of failing with `store/not-found`; default false. */
  readonly create?: boolean;
  /** Passed through to the object store (`account_key`, `aws_secret_access_key`, …). Never stored, never shown. */
  readonly storageOptions?: { readonly [name: string]: string };
  /** Told, once, what does not keep a read from its result: an index that could not be read (`store/index-unreadable`) or brought up to date (`store/index-behind`). */
  readonly onIssue?: (issue: Issue) => void;
}

/**
 * Opens a store: a folder, or an object-store URI (`s3://`, `az://`, `gs://`).
 * Throws a StoreError: `store/not-found`, `store/not-a-store`, `store/foreign-folder`, `store/newer-layout`, `store/no-permission`,
 * `store/damaged` or `store/io`.
 */
export async function openStore(uri: string, options: OpenOptions = {}): Promise<Store> {
  const location = locateStore(uri);
  const create = options.create === true;
  const secrets = Object.entries(options.storageOptions ?? {})
    .filter(([name]) => isSecretName(name))
    .map(([, value]) => value);
  await inspectFolder(location, create);
  const lance = loadLance();
  const { storageOptions } = options;
  const access = { uri: location.uri, ...(storageOptions === undefined ? {} : { storageOptions }) };
  let closed = false;
  try {
    const connection = await connectLance(lance, access).catch((cause) => {
      throw create ? explainCreation(cause, location.shown, secrets) : cause;
    });
    const opened = await openTables(lance, connection, location, { create, secrets });
    const warn = (code: IssueCode, message: string): void =>
      options.onIssue?.({ code, severity: 'warning', message, at: { source: location.shown, pointer: '' } });
    const onUnreadableIndex = once((name) =>
      warn(
        'store/index-unreadable',
        `an index of the table ${name} cannot be read, so its rows were looked through without; maintenance makes it anew`,
      ),
    );
    // Whoever may not write one table may write none.
    let behind = false;
    const onIndexBehind = (): void => {
      if (!behind)
        warn(
          'store/index-behind',
          'the text index of the store lacks rows and cannot be written, so all texts were looked through: slower, and not by rank',
        );
      behind = true;
    };
    for (const name of TABLE_NAMES) listenForIndexes(opened.tables[name], () => onUnreadableIndex(name));
    const context: StoreContext = {
      lance,
      connection,
      access,
      location,
      secrets,
      ...opened,
      onUnreadableIndex,
      onIndexBehind,
      assertOpen() {
        if (closed) throw closedError();
      },
    };
    return makeStore(context, () => {
      if (closed) return;
      closed = true;
      for (const table of Object.values(opened.tables)) table.close();
      connection.close();
    });
  } catch (cause) {
    throw explainFailure(cause, `open the store ${location.shown}`, secrets);
  }
}

/** The same, once for each table. */
function once(action: (name: TableName) => void): (name: TableName) => void {
  const done = new Set<TableName>();
  return (name) => {
    if (done.has(name)) return;
    done.add(name);
    action(name);
  };
}
