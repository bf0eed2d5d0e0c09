import type { Layout } from '../containers/layout.ts';
import type { Container, DrivenFormat } from '../format.ts';

/** A container of JSON. */
export type JsonContainer = Exclude<Container, { readonly kind: 'external' }>;

/** A container of rows. */
export type RowsContainer = Extract<Container, { readonly kind: 'rows' }>;

/** For each layout of an input: the ways to read it, best first. A value that fits none exactly is read by the nearest and refused where it differs. */
const WAYS: Readonly<Record<Exclude<Layout, 'empty'>, readonly string[]>> = {
  document: ['document', 'member', 'lines'],
  lines: ['lines', 'document', 'member'],
  array: ['array', 'document', 'member', 'lines'],
};

/** The container, among those a format names, that fits the layout of an input. */
export function chooseContainer(
  containers: readonly Container[],
  layout: Exclude<Layout, 'empty'>,
): JsonContainer | undefined {
  for (const way of WAYS[layout]) {
    for (const container of containers) {
      if (
        container.kind !== 'external' &&
        (container.kind === 'rows' ? container.in : container.outer) === way
      )
        return container;
    }
  }
  return undefined;
}

/** Says that a format has no container for a layout. */
export function describeMismatch(format: DrivenFormat, layout: Layout): string {
  return `${format.title} is not read from ${layout === 'array' ? 'an array' : layout === 'lines' ? 'lines' : 'a single value'}`;
}
