// Characters that some file system refuses, or that a shell or terminal could take amiss.
const REFUSED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not become part of a file name
  /[\u0000-\u001f\u007f-\u009f<>:"\\|?*\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_BYTES = 180;

/**
 * A relative path made of a name that data chose: it stays inside its folder whatever the name is (`..`, absolute paths, hidden files,
 * reserved names), keeps its folders, and is short enough for every file system.
 */
export function safeRelativePath(name: string): string {
  const segments = name
    .split('/')
    .map(safeSegment)
    .filter((segment) => segment !== '');
  return segments.length === 0 ? 'trajectory' : segments.slice(-16).join('/');
}

/** `name` without the ending of a format or of JSON: `runs/a.actf.json` → `runs/a`. */
export function withoutExtension(name: string, extensions: readonly string[]): string {
  const lower = name.toLowerCase();
  const longestFirst = [...extensions].sort((left, right) => right.length - left.length);
  const found = longestFirst.find((ending) => lower.endsWith(ending) && lower.length > ending.length);
  return found === undefined ? name : name.slice(0, name.length - found.length);
}

/** Gives each name once: a name that was given before gets `-2`, `-3` … Case is ignored, as some file systems do. */
export function uniqueNames(): (name: string) => string {
  const taken = new Map<string, number>();
  return (name) => {
    for (let count = taken.get(name.toLowerCase()) ?? 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}-${count}`;
      taken.set(name.toLowerCase(), count + 1);
      if (count === 1 || !taken.has(candidate.toLowerCase())) {
        if (count > 1) taken.set(candidate.toLowerCase(), 2);
        return candidate;
      }
    }
  };
}

function safeSegment(segment: string): string {
  let text = segment
    .replace(REFUSED, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  if (RESERVED.test(text)) text = `_${text}`;
  while (Buffer.byteLength(text) > MAX_BYTES) text = [...text].slice(0, -1).join('');
  return text;
}
