import { type Json, type MutableJsonObject, restoreResiduals } from '@pchronicle/storyline-core';
import type { Extra } from './view.ts';

/** Lists that residuals may build: elements of `tool_calls` that are no calls. */
const LISTS: ReadonlySet<string> = new Set(['tool_calls']);

/**
 * Puts residuals into an object under construction, in place of what may be there (decision G12); `fault` is told the pointers that
 * have no place. Containers inside are copied before they are changed.
 */
export function restore(
  root: MutableJsonObject,
  residuals: readonly Extra[],
  fault: (pointer: string) => void = () => undefined,
): void {
  const fields: { readonly [pointer: string]: Json } = Object.fromEntries(residuals);
  const options = { lists: LISTS, mayReplace: () => true };
  restoreResiduals(root, fields, options, (_severity, _code, pointer) => fault(pointer));
}
