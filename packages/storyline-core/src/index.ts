export type * from './format.ts';
export * from './import/events.ts';
export * from './issue.ts';
export * from './json/value.ts';
export type { ByteRange, Source } from './source.ts';
export * from './storyline.ts';
