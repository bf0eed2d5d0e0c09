/** A read that a generator of this package asks its driver for; it is answered with the number of bytes read. */
export interface ReadNeed {
  readonly type: 'read';
  readonly target: Uint8Array;
  readonly position: number;
}

/** A promise that a generator of this package wants awaited; it is answered with what the promise gives. */
export interface WaitNeed {
  readonly type: 'wait';
  readonly promise: Promise<unknown>;
}

/**
 * Work written once for both worlds: a generator that yields what it needs (and, for drivers, what it has to tell). `importDocument`
 * answers the needs at once from memory, `importStorylines` awaits them.
 */
export type Steps<Result, Told = never> = Generator<ReadNeed | WaitNeed | Told, Result, unknown>;

/** Asks for bytes at `position`. */
export function* read(target: Uint8Array, position: number): Steps<number> {
  return (yield { type: 'read', target, position }) as number;
}
