import { BACKSLASH } from './bytes.ts';

/** The first raw control character or wrong escape between two positions of a string's content. */
export function findStringFault(
  bytes: Uint8Array,
  start: number,
  stop: number,
): { readonly offset: number; readonly length: number; readonly message: string } | undefined {
  for (let position = start; position < stop; position += 1) {
    const byte = bytes[position] as number;
    if (byte < 0x20) {
      const code = byte.toString(16).padStart(2, '0');
      return {
        offset: position,
        length: 1,
        message: `a string holds the raw control character 0x${code}; expected an escape such as \\u00${code}`,
      };
    }
    if (byte !== BACKSLASH) continue;
    const escaped = bytes[position + 1];
    const isUnicode = escaped === 0x75;
    const text = decodeLatin1(bytes, position + 1, position + (isUnicode ? 6 : 2));
    if (isUnicode ? !/^u[0-9a-fA-F]{4}$/.test(text) : !/^["\\/bfnrt]$/.test(text)) {
      const shown = (escaped ?? 0) < 0x80 ? `"\\${text}"` : 'a backslash before this character';
      return { offset: position, length: isUnicode ? 6 : 2, message: `${shown} is no JSON escape` };
    }
    position += isUnicode ? 5 : 1;
  }
  return undefined;
}

function decodeLatin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
