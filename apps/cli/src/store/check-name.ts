import { usageFailure } from '../failure.ts';

/** Schemes that Lance knows, with those of files. */
const SCHEMES = ['file', 's3', 's3+ddb', 'gs', 'az', 'abfs', 'abfss', 'oss'];

/** Refuses a name that no store can have; says nothing of the rest of a URI, which may hold credentials. */
export function checkStoreName(uri: string): void {
  const hint = 'name it with --store or PCHRONICLE_STORE';
  if (uri.trim() === '') throw usageFailure('cli/bad-store', 'the name of the store is empty', hint);
  // A folder may have a colon in its name; one that is called like this is meant to be something else.
  const [, meant] = /^([a-z0-9+]+):(?!\/\/)/i.exec(uri) ?? [];
  if (meant !== undefined && meant.toLowerCase() !== 'file' && SCHEMES.includes(meant.toLowerCase()))
    throw usageFailure('cli/bad-store', `${meant}: needs two slashes: ${meant}://bucket/folder`, hint);
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):\/\/(.*)$/is.exec(uri) ?? [];
  if (scheme === undefined) return;
  if (!SCHEMES.includes(scheme.toLowerCase())) {
    throw usageFailure(
      'cli/bad-store',
      `a store is a folder, or lies at s3://, az:// or gs://, not at ${scheme}://`,
    );
  }
  if (scheme.toLowerCase() !== 'file' && /^\/*$/.test(rest ?? ''))
    throw usageFailure('cli/bad-store', `${scheme}:// needs the name of a bucket or container`, hint);
}
