/** Positions as text, runs joined: `0-3,7`. */
export function packRanges(positions: readonly number[]): string {
  const runs: string[] = [];
  for (let at = 0; at < positions.length; ) {
    const first = positions[at] as number;
    let end = at + 1;
    while (end < positions.length && positions[end] === first + end - at) end += 1;
    runs.push(end - at === 1 ? String(first) : `${first}-${first + end - at - 1}`);
    at = end;
  }
  return runs.join(',');
}

/** The positions of a text of ranges below `count`, at most `most` of them: it may come from anywhere. */
export function unpackRanges(text: string, count: number, most = 4 * count + 16): readonly number[] {
  const positions: number[] = [];
  for (const run of text.split(',')) {
    const match = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(run);
    if (match === null) continue;
    const first = Number(match[1]);
    const last = Math.min(Number(match[2] ?? match[1]), count - 1);
    for (let at = first; at <= last && positions.length < most; at += 1) positions.push(at);
  }
  return positions;
}
