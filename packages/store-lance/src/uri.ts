import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redact } from './lance/explain-failure.ts';

/** Where a store lies. */
export interface StoreLocation {
  /** What Lance is given. */
  readonly uri: string;
  /** What is shown to people: never with credentials. */
  readonly shown: string;
  /** Path of the folder, when it is one of this machine. */
  readonly folder?: string;
}

/** Tells a folder from an object-store URI (`s3://`, `az://`, `gs://` …); `file:` URIs are folders. */
export function locateStore(uri: string): StoreLocation {
  if (uri.startsWith('file:'))
    return { uri: fileURLToPath(uri), shown: fileURLToPath(uri), folder: fileURLToPath(uri) };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(uri)) return { uri, shown: redact(uri) };
  // Lance takes what stands before a colon for a scheme, but not in an absolute path.
  return { uri: uri.includes(':') ? resolve(uri) : uri, shown: uri, folder: resolve(uri) };
}
