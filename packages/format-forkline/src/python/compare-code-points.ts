/** Orders texts by code point, as Python compares `str`: negative, 0 or positive. A lone surrogate counts as its own code point. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // A low surrogate decides whether the high one before it stands alone.
    const pairs = index > 0 && isHigh(left.charCodeAt(index - 1)) && (isLow(a) || isLow(b));
    const start = pairs ? index - 1 : index;
    return (left.codePointAt(start) ?? 0) - (right.codePointAt(start) ?? 0);
  }
  if (left.length === right.length) return 0;
  const last = shorter - 1;
  if (last >= 0 && isHigh(left.charCodeAt(last))) {
    const difference = (left.codePointAt(last) ?? 0) - (right.codePointAt(last) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The keys of an object as Python's `sorted` orders them. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  if (keys.length < 2) return keys;
  return keys.some(hasHighUnits) ? keys.sort(compareCodePoints) : keys.sort();
}

/** UTF-16 order and code-point order differ only when a unit from U+D800 on occurs. */
function hasHighUnits(key: string): boolean {
  return /[\ud800-\uffff]/.test(key);
}
