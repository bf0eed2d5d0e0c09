import type { Container, DrivenFormat, Outer } from '../format.ts';

/** A container that the driver can write. */
export type WrittenContainer = Exclude<Container, { readonly kind: 'external' }>;

/** How the documents (for rows: the rows) of a container lie in a file. */
export function outerOf(container: WrittenContainer): Outer {
  if (container.kind !== 'rows') return container.outer;
  return container.in === 'member' ? 'document' : container.in;
}

/** The container of a format to write into: the first with this outer, or the first of all; `undefined` when it has none. */
export function chooseContainer(
  format: DrivenFormat,
  outer: Outer | undefined,
): WrittenContainer | undefined {
  return format.containers.find(
    (container): container is WrittenContainer =>
      container.kind !== 'external' && (outer === undefined || outerOf(container) === outer),
  );
}

/**
 * The outer that holds this many documents (for the command line's default): the format's first container, or, where that takes one
 * document only and there are several, an array or lines, whichever the format names first.
 */
export function defaultOuter(format: DrivenFormat, documents: number): Outer | undefined {
  const first = chooseContainer(format, undefined);
  if (first === undefined) return undefined;
  const several = format.containers.find(
    (container) =>
      container.kind !== 'external' && container.kind !== 'rows' && container.outer !== 'document',
  );
  if (documents <= 1 || outerOf(first) !== 'document' || several === undefined) return outerOf(first);
  return outerOf(several as WrittenContainer);
}
