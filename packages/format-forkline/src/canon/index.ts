export { type CanonicalForm, canonicalForm, canonicalHash } from './canonical.ts';
