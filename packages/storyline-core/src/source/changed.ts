import type { Source } from '../source.ts';

/** The error for a source that ends before its size: broken I/O, with the `code` and `syscall` that a system error has, and no fault of a reader. */
export function changedWhileRead(source: Source, position: number): Error {
  const message = `${source.name} ended at byte ${position} of ${source.size}: it changed while it was read`;
  return Object.assign(new Error(message), { code: 'ESTALE', syscall: 'read' });
}
