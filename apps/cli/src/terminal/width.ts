import stringWidth from 'string-width';

/** Columns that a line takes on a terminal: Chinese, Japanese, Korean characters and emoji take two. */
export function displayWidth(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** The beginning of a line that fits into `width` columns, with an ellipsis if there was more; never half a character. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const wide = displayWidth(segment);
    if (used + wide > width - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept}…`;
}

/** Widths that add up to at most `total`: columns with a least width give way, the widest first. */
export function fitWidths(
  wanted: readonly number[],
  least: readonly (number | undefined)[],
  total: number,
): readonly number[] {
  const widths = [...wanted];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - total; over > 0; over -= 1) {
    let widest = -1;
    widths.forEach((width, index) => {
      const floor = least[index];
      if (floor === undefined || width <= floor) return;
      if (widest === -1 || width > (widths[widest] ?? 0)) widest = index;
    });
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
