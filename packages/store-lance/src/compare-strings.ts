/** Compares by UTF-16 units: the same everywhere, whatever the locale. */
export function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
