/**
 * Orders texts by code point, which is the byte order of their UTF-8 (decisions G4, G20): negative, 0 or positive.
 * JavaScript's own `<` compares UTF-16 units and puts U+E000..U+FFFF after the astral planes.
 */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all other units: move them behind U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
