import { isStoreError, StoreError, type StoreErrorCode } from '../store-error.ts';

const patterns: readonly (readonly [StoreErrorCode, RegExp, string])[] = [
  [
    'store/disk-full',
    /no space left|storage ?full|os error 28\b|ENOSPC|file too large|os error 27\b|EFBIG|quota exceeded|os error 122\b/i,
    'there is no space left for the store',
  ],
  [
    'store/not-found',
    /NoSuchBucket|ContainerNotFound|the specified (bucket|container) does not exist/i,
    'its bucket or container does not exist',
  ],
  [
    'store/no-permission',
    /permission denied|os error 13\b|EACCES|EPERM|os error 1\b|read-only file system|os error 30\b|EROFS|access ?denied|forbidden|unauthori[sz]ed|unauthenticated|authenticat\w* (failed|error)|invalid credential|status: 40[13]/i,
    'access to the store was refused',
  ],
  [
    'store/conflict',
    /commit conflict|concurrent (commit|transaction)|write contention|conflicting/i,
    'another process changed the store at the same moment',
  ],
  [
    'store/damaged',
    /corrupt|invalid (magic|footer|lance)|does not (appear to be|contain) (a )?(valid )?(lance|magic)|unexpected (eof|end of file)|end of file|failed to (decode|parse|load)|protobuf|not found|no such file|os error 2\b|panic|unwrap\(\)|encountered internal error|fill whole buffer|range was invalid|out of (bounds|range)|LanceError\((IO|Schema|Arrow)\)|decompress|zstd/i,
    'a file of the store is missing or damaged',
  ],
];

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
  const found = patterns.find(([, pattern]) => pattern.test(text));
  const detail = firstSentence(redact(text, secrets));
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
  const detail = firstSentence(redact(text, secrets));
  return new StoreError('store/io', `cannot create the store ${shown}: none can be made there (${detail})`, {
    cause: failure.cause,
  });
}

function firstSentence(text: string): string {
  // What Lance says when a damaged file makes it panic is about its own insides.
  if (/panic|Option::unwrap\(\)|Result::unwrap\(\)|encountered internal error/i.test(text))
    return 'Lance broke off while it decoded it';
  const plain = text.replace(/,?\s*\S+\.rs(:\d+)+/g, '').split(/\r?\n/, 1)[0] ?? '';
  const trimmed = plain.replace(/\s+Caused by:.*$/, '').trim();
  return trimmed.length > 300 ? `${trimmed.slice(0, 300)}…` : trimmed;
}
