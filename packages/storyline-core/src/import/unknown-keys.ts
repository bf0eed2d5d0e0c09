import type { Issue } from '../issue.ts';
import { normaliseResidualPointer } from '../storyline/normalise-residual-pointer.ts';
import type { Storyline } from '../storyline.ts';

/** Counts unknown keys over one source, for one warning per normalised pointer (decision G9). */
export interface UnknownKeyTally {
  /** Counts the residuals of the format's own source. `carriers` are the pointers of the Storyline's records: what lies under them is its alone. */
  add(storyline: Storyline, carriers: readonly string[]): void;
  /** Forgets which shared keys were seen; at the end of a document. */
  endDocument(): void;
  /** The warnings, in ascending order of pointer; without a source they are about several files. */
  issues(source: string | undefined): readonly Issue[];
}

/** Pointers that are told one by one: keys that differ in every document must not fill the memory, nor the screen. */
const MOST_POINTERS = 1000;

/** Starts counting the unknown keys of one format's residual source. */
export function tallyUnknownKeys(format: string): UnknownKeyTally {
  const counts = new Map<string, number>();
  /** Occurrences at further pointers. */
  let others = 0;
  /** Keys that several Storylines of a document repeat (those of its root) count once. */
  const shared = new Set<string>();
  return {
    add(storyline, carriers) {
      const block = storyline.unknown_fields?.sources[format];
      if (block === undefined) return;
      const own = new Set(carriers);
      for (const pointer of Object.keys(block.fields)) {
        if (!isUnder(pointer, own)) {
          if (shared.has(pointer)) continue;
          shared.add(pointer);
        }
        const normalised = grouped(format, normaliseResidualPointer(format, pointer));
        const count = counts.get(normalised);
        if (count === undefined && counts.size >= MOST_POINTERS) others += 1;
        else counts.set(normalised, (count ?? 0) + 1);
      }
    },
    endDocument: () => shared.clear(),
    issues(source) {
      const named = source === undefined ? {} : { source };
      const issues = [...counts]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([pointer, count]): Issue => {
          const message = `${format} has no meaning for what stands at ${pointer}, found ${count === 1 ? 'once' : `${count} times`}; kept as a residual`;
          return { code: 'core/unknown-key', severity: 'warning', message, at: { ...named, pointer } };
        });
      if (others === 0) return issues;
      const message = `${others} more unknown keys were found at further places; the first ${MOST_POINTERS} were reported`;
      return [
        ...issues,
        { code: 'core/more-issues', severity: 'warning', message, at: { ...named, pointer: '' } },
      ];
    },
  };
}

/** Formats whose array positions stay literal in stored counts (storyline-v1 §8 names the others), but would make a warning each. */
const GROUPED: ReadonlyMap<string, RegExp> = new Map([
  ['forkline', /^\/events\/\d+(?=\/)/],
  ['ankole', /\/\d+(?=\/)/g],
]);

function grouped(format: string, pointer: string): string {
  const pattern = GROUPED.get(format);
  return pattern === undefined ? pointer : pointer.replace(pattern, (found) => found.replace(/\d+$/, '*'));
}

/** Whether a pointer leads into one of the carriers. */
function isUnder(pointer: string, carriers: ReadonlySet<string>): boolean {
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    if (carriers.has(pointer.slice(0, end))) return true;
  }
  return false;
}
