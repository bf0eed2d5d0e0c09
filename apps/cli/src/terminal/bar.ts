const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `share` (0 to 1) of `width` columns, in eighths of a column; anything above nothing shows at least the thinnest. */
export function bar(share: number, width = 20): string {
  if (!(share > 0)) return '';
  const eighths = Math.max(1, Math.round(Math.min(1, share) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
