/** Steps of a {@link Plan}. */
export const MEMBERS = 0;
export const OPEN = 1;
export const CLOSE = 2;
export const BLANK = 3;

/**
 * How to parse a value in pieces, found by one scan over it. Positions are byte offsets in whatever the scan was told to count from.
 * `steps` are triples: MEMBERS from, to (parse these members into the innermost open container), OPEN from, bracket (open a container;
 * from is where its key, if any, begins), CLOSE bracket, 0, and BLANK from, to (nothing but white space may stand there). No steps: the
 * value is one piece.
 */
export interface Plan {
  readonly steps: number[];
  /** Starts and ends of the number tokens that a double may not keep. */
  readonly numbers: number[];
  /** How many members all objects have together: its colons. */
  members: number;
}
