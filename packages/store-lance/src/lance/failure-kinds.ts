import type { StoreErrorCode } from '../store-error.ts';

/** A code, the texts of Lance and of the system that mean it, and what they mean. */
export type FailureKind = readonly [code: StoreErrorCode, text: RegExp, means: string];

/**
 * Kinds of failures; the first that fits counts. Whatever a service on the network answered, or did not, is told before damage: a store that
 * cannot be reached says nothing about its files, and Lance reports both as `LanceError(IO)`.
 */
export const FAILURE_KINDS: readonly FailureKind[] = [
  [
    'store/disk-full',
    /no space left|storage ?full|os error 28\b|ENOSPC|file too large|os error 27\b|EFBIG|quota exceeded|os error 122\b/i,
    'there is no space left for the store',
  ],
  [
    'store/not-found',
    /NoSuchBucket|ContainerNotFound|the specified (bucket|container) does not exist|list request[^\n]*status code: 404/i,
    'its bucket or container does not exist',
  ],
  [
    'store/bad-options',
    /invalid access key|SAS query pair|credential error|service account file|failed to get aws credentials|no azure account name|endpoint is required|builder error|InvalidUri|relative URL without a base|failed to resolve region|incorrectly configured region|no object store provider|ExpiredToken|AuthorizationHeaderMalformed/i,
    'the credentials or settings of its object store cannot be used',
  ],
  [
    'store/no-permission',
    /permission denied|os error 13\b|EACCES|EPERM|os error 1\b|read-only file system|os error 30\b|EROFS|access ?denied|forbidden|unauthori[sz]ed|unauthenticated|authenticat\w* (failed|error)|invalid credential|status: 40[13]/i,
    'access to the store was refused',
  ],
  [
    'store/conflict',
    /commit conflict|concurrent (commit|transaction)|write contention|conflicting|status code: 4(09|12)/i,
    'another process changed the store at the same moment',
  ],
  [
    'store/unreachable',
    // What else a service answered, unless it says that an object is gone or shorter than it was.
    /HTTP error|error sending request|dns error|failed to lookup address|connection (refused|reset|closed|timed out)|operation timed out|after \d+ retries|status code: (408|429|5\d\d)|Generic (?!LocalFileSystem|N\/A)\S+ error(?![^\n]*(range|not found|status code: 4(04|16)|NoSuchKey|BlobNotFound))/i,
    'its object store could not be reached, or did not answer as it should',
  ],
  [
    'store/damaged',
    /corrupt|invalid (magic|footer|lance)|does not (appear to be|contain) (a )?(valid )?(lance|magic)|unexpected (eof|end of file)|end of file|failed to (decode|parse|load)|protobuf|not found|no such file|os error 2\b|panic|unwrap\(\)|encountered internal error|fill whole buffer|range was invalid|out of (bounds|range)|LanceError\((IO|Schema|Arrow)\)|decompress|zstd/i,
    'a file of the store is missing or damaged',
  ],
];
