import { groupPath } from '../containers/group-keys.ts';
import type { Layout } from '../containers/layout.ts';
import { elementsOf, type Item, layoutOf, linesOf } from '../containers/memory-layout.ts';
import { skipBlank } from '../json/bytes.ts';
import { parseBytes } from '../json/parse.ts';
import { formatPointer, getPointer } from '../json/pointer.ts';
import { findMembers, findWithin, readScalar } from '../json/shallow.ts';
import { getOwn, isJsonArray, isJsonObject, type Json } from '../json/value.ts';
import type { DocumentRun } from './document-run.ts';
import type { ImportRun } from './import-run.ts';

/** One value of an input in memory: a document, or a row. */
export interface MemoryValue {
  /** Where it lies; nothing for what was handed over as a value. */
  readonly item: Partial<Item>;
  /** The value; what is wrong with it is reported, under `pointer`, and it is `undefined` then. */
  read(issues: DocumentRun, pointer: string): Json | undefined;
  /** A member of it that is a text or a number, even if it is broken behind that; a pointer leads further in. */
  scalar(name: string): Json | undefined;
  /** Whether it is an object with a member of this name. */
  has(name: string): boolean;
}

/** An input in memory. */
export interface MemoryInput {
  readonly layout: Layout;
  whole(): MemoryValue;
  lines(): readonly MemoryValue[];
  /** The elements of an array; `breakAt` is where it breaks. */
  elements(): { readonly values: readonly MemoryValue[]; readonly breakAt?: number };
}

/** An input of bytes, from `start` on. */
export function bytesInput(run: ImportRun, bytes: Uint8Array, start: number): MemoryInput {
  const first = skipBlank(bytes, start, bytes.length);
  const valueAt = (item: Item): MemoryValue => {
    const part = bytes.subarray(item.start, item.end);
    return {
      item,
      read: (issues, prefix) =>
        parseBytes(part, run, (severity, code, pointer, message, offset) =>
          issues.reportAt(severity, code, prefix + pointer, message, item.start + offset),
        ),
      scalar: (name) => {
        const [member = '', ...path] = groupPath(name);
        return readScalar(part, findWithin(part, findMembers(part, [member])[0], path));
      },
      has: (name) => findMembers(part, [name])[0] !== undefined,
    };
  };
  return {
    layout: layoutOf(bytes, first),
    whole: () => valueAt({ start: first, end: bytes.length }),
    lines: () => linesOf(bytes, start).map(valueAt),
    elements() {
      const { items, breakAt } = elementsOf(bytes, first);
      const last = items.at(-1);
      // An element that the end cuts off tells that itself.
      const isTold =
        breakAt === bytes.length &&
        last?.end === breakAt &&
        parseBytes(bytes.subarray(last.start), run, () => undefined) === undefined;
      const values = items.map(valueAt);
      return breakAt === undefined || isTold ? { values } : { values, breakAt };
    },
  };
}

/** A value that was handed over as one. */
export function memoryValue(held: Json, item: Partial<Item>): MemoryValue {
  return {
    item,
    read: () => held,
    scalar: (name) => {
      const [member = '', ...path] = groupPath(name);
      const found = isJsonObject(held) ? getOwn(held, member) : undefined;
      return path.length === 0 || found === undefined ? found : getPointer(found, formatPointer(path));
    },
    has: (name) => isJsonObject(held) && Object.hasOwn(held, name),
  };
}

/** An input that was handed over as a value. */
export function valueInput(value: Json): MemoryInput {
  const elements = (): readonly MemoryValue[] =>
    (isJsonArray(value) ? value : [value]).map((element, index) =>
      memoryValue(element, { record: index + 1 }),
    );
  return {
    layout: isJsonArray(value) ? 'array' : 'document',
    whole: () => memoryValue(value, {}),
    lines: elements,
    elements: () => ({ values: elements() }),
  };
}
