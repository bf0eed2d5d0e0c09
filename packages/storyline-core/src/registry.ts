import type { AnyFormat, Detection, Head } from './format.ts';

/** A format's opinion about an input. */
export interface FormatDetection extends Detection {
  readonly format: AnyFormat;
}

/** An explicit list of formats; no global state. */
export interface Registry {
  readonly formats: readonly AnyFormat[];
  /** The format with this id or alias. */
  get(name: string): AnyFormat | undefined;
  /** The name (id or alias) most like this one, for a suggestion; `undefined` when none is near. */
  nearest(name: string): string | undefined;
  /**
   * The formats an input may be in: those that say `yes`, else those that say `maybe`, in the order of the registry.
   * One is an answer, none is unknown, and of several the user has to choose.
   */
  detect(head: Head): readonly FormatDetection[];
}

/** Makes a registry. Throws when two formats claim one name: that is a bug of whoever composes them, not data. */
export function createRegistry(formats: readonly AnyFormat[]): Registry {
  const names = new Map<string, AnyFormat>();
  for (const format of formats) {
    for (const name of [format.id, ...(format.aliases ?? [])]) {
      const taken = names.get(name);
      if (taken !== undefined)
        throw new Error(`the formats ${taken.id} and ${format.id} both claim the name ${name}`);
      names.set(name, format);
    }
  }
  return {
    formats,
    get: (name) => names.get(name),
    nearest: (name) => nearest(name.toLowerCase(), [...names.keys()]),
    detect(head) {
      const found = formats.map((format): FormatDetection => ({ ...format.detect(head), format }));
      const sure = found.filter((detection) => detection.confidence === 'yes');
      return sure.length > 0 ? sure : found.filter((detection) => detection.confidence === 'maybe');
    },
  };
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const related = name !== '' && (candidate.startsWith(name) || name.startsWith(candidate));
    const distance = related ? 1 : editDistance(name.slice(0, 64), candidate);
    if (distance < bestDistance && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}
