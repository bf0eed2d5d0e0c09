/** Stable codes of {@link StoreError}; ISSUES.md says what each means and what to do. */
export type StoreErrorCode =
  | 'store/not-found'
  | 'store/not-a-store'
  | 'store/foreign-folder'
  | 'store/newer-layout'
  | 'store/no-permission'
  | 'store/bad-options'
  | 'store/unreachable'
  | 'store/disk-full'
  | 'store/conflict'
  | 'store/damaged'
  | 'store/lost-write'
  | 'store/unknown-document'
  | 'store/unknown-version'
  | 'store/bad-tag'
  | 'store/closed'
  | 'store/io';

/** Thrown when the store itself fails (I/O, access, damage); bad data in an import is an issue, never an exception. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StoreError';
    this.code = code;
  }
}

/** Whether a value is a {@link StoreError}, also one of another copy of this package. */
export function isStoreError(value: unknown): value is StoreError {
  return value instanceof Error && value.name === 'StoreError' && 'code' in value;
}
