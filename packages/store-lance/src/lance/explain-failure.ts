import { isStoreError, StoreError } from '../store-error.ts';
import { FAILURE_KINDS } from './failure-kinds.ts';

/** Removes what must never be shown from a message: credentials in URIs and the values of secret storage options. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let shown = text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^/@\s'"]+@/gi, '$1***@')
    .replace(/\?[^\s'")]*/g, (query) => (query.includes('=') ? '?***' : query));
  for (const secret of [...secrets, ...environmentSecrets()]) {
    if (secret.length >= 4) shown = shown.split(secret).join('***');
  }
  return shown;
}

/** Whether a storage option, or a variable of the environment, holds a secret. */
export function isSecretName(name: string): boolean {
  return /key|secret|token|password|credential|sas|signature/i.test(name);
}

// Object stores take credentials from there, too.
function environmentSecrets(): string[] {
  return Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && /^(AWS|AZURE|GOOGLE|GCP|S3)_/.test(name) && isSecretName(name) ? [value] : [],
  );
}

/** The failure itself, for those who look into it, without what must not be shown. */
function redactedCause(cause: unknown, secrets: readonly string[]): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? redact(cause, secrets) : undefined;
  const shown = new Error(redact(cause.message, secrets));
  shown.name = cause.name;
  shown.stack = redact(cause.stack ?? '', secrets);
  return shown;
}

/**
 * Turns a failure of Lance or of the file system into a {@link StoreError} with a stable code and one sentence.
 * `doing` completes the sentence "cannot …". Lance gives texts, not codes, so the text decides; what it says stays in the sentence, without
 * credentials and without the source positions and backtraces it appends.
 */
export function explainFailure(cause: unknown, doing: string, secrets: readonly string[] = []): StoreError {
  if (isStoreError(cause)) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  const found = FAILURE_KINDS.find(([, pattern]) => pattern.test(text));
  const detail = detailOf(redact(text, secrets), found?.[0] === 'store/damaged');
  const options = { cause: redactedCause(cause, secrets) };
  if (found === undefined) return new StoreError('store/io', `cannot ${doing}: ${detail}`, options);
  return new StoreError(found[0], `cannot ${doing}: ${found[2]} (${detail})`, options);
}

/** The same of a store that cannot be made: what is not there yet is neither missing nor damaged. */
export function explainCreation(cause: unknown, shown: string, secrets: readonly string[] = []): StoreError {
  const failure = explainFailure(cause, `create the store ${shown}`, secrets);
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/ENOTDIR|not a directory|os error 20\b/i.test(text)) {
    const message = `cannot create the store ${shown}: a part of its path is a file`;
    return new StoreError('store/not-a-store', message, { cause: failure.cause });
  }
  if (failure.code !== 'store/damaged') return failure;
  const detail = detailOf(redact(text, secrets), true);
  return new StoreError('store/io', `cannot create the store ${shown}: none can be made there (${detail})`, {
    cause: failure.cause,
  });
}

/** The first sentence of what Lance says, without what only its authors need. */
function detailOf(text: string, damaged: boolean): string {
  // What Lance says when a damaged file makes it panic is about its own insides.
  if (damaged && /panic|Option::unwrap\(\)|Result::unwrap\(\)|encountered internal error/i.test(text))
    return 'Lance broke off while it decoded it';
  const plain = (text.split(/\r?\n/, 1)[0] ?? '')
    .replace(/,?\s*\S+\.rs(:\d+)+/g, '')
    .replace(/Generic N\/A error: |Encountered internal error\. Please file a bug report at \S+\s*/gi, '')
    // Behind it come the insides of an SDK, headers of requests included.
    .replace(/(failed to get aws credentials).*/i, '$1');
  const trimmed = plain.replace(/\s+Caused by:.*$/, '').trim();
  return trimmed.length > 300 ? `${trimmed.slice(0, 300)}…` : trimmed;
}
