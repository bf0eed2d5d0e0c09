/** What happens to a value whose key or path matches. */
export interface RedactionRule {
  readonly action: 'mask' | 'hash' | 'drop';
  /** Substring of the key, in any case. */
  readonly keyPattern?: string;
  /** Substring of the path, in any case: keys joined with `.`, array positions add nothing. With a key pattern both must match. */
  readonly pathPattern?: string;
  /** What a masked value becomes; default `[REDACTED]`. */
  readonly replacement?: string;
}

/** A replacement inside every text that survives the rules. */
export interface RedactionPattern {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** A redaction policy (forkline-notes §13). */
export interface RedactionPolicy {
  /** How `hash` spells a value before hashing: 0.4 its Python `repr`, 0.5 its JSON. */
  readonly hashes: 'repr' | 'json';
  /** 0.5 gives objects with sorted keys. */
  readonly sortKeys: boolean;
  /** The first rule that matches wins. */
  readonly rules: readonly RedactionRule[];
  readonly patterns: readonly RedactionPattern[];
}

const KEYS_BEFORE_05 = [
  'key',
  'token',
  'secret',
  'password',
  'api_key',
  'apikey',
  'auth',
  'authorization',
  'cookie',
  'set-cookie',
  'credentials',
  'private_key',
  'privatekey',
  'access_token',
  'refresh_token',
  'session',
  'csrf',
];

function masks(keys: readonly string[]): readonly RedactionRule[] {
  return keys.map((keyPattern) => ({ action: 'mask', keyPattern }));
}

/** The default policy of Forkline 0.1 to 0.4: keys only, texts untouched. */
export const FORKLINE_04_POLICY: RedactionPolicy = {
  hashes: 'repr',
  sortKeys: false,
  rules: masks(KEYS_BEFORE_05),
  patterns: [],
};

/** Python's white space, which is not JavaScript's. */
const SPACE =
  '[\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';

/** The default policy of Forkline 0.5: the same keys and `passwd`, then three detectors in every remaining text. */
export const FORKLINE_05_POLICY: RedactionPolicy = {
  hashes: 'json',
  sortKeys: true,
  rules: masks([...KEYS_BEFORE_05.slice(0, 4), 'passwd', ...KEYS_BEFORE_05.slice(4)]),
  patterns: [
    {
      name: 'jwt',
      pattern: /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g,
      replacement: '[REDACTED:jwt]',
    },
    {
      name: 'bearer',
      pattern: new RegExp(`bearer${SPACE}+[A-Za-z0-9._-]+`, 'gi'),
      replacement: 'Bearer [REDACTED]',
    },
    { name: 'aws_key', pattern: /AKIA[A-Z0-9]{16}/g, replacement: '[REDACTED:aws_key]' },
  ],
};
