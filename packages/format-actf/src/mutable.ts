/** A type whose members may be set: for values under construction. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
