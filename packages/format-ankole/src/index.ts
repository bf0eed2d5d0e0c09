export { ankole } from './ankole.ts';
export {
  isCanonicalHeader,
  isCanonicalMessage,
} from './canonical/is-canonical-message.ts';
export { type ParsedEnvelope, parseEnvelope } from './canonical/parse-envelope.ts';
export { revealOpaque } from './encoded/opaque.ts';
export { exportAnkole } from './export-ankole.ts';
export { importAnkole } from './import-ankole.ts';
export { type ProjectedItem, projectItem } from './items/project-item.ts';
export { normaliseAnkole } from './normalise.ts';
export { type ProviderView, providerView } from './provider/provider-view.ts';
export { sidesOf } from './read/sides.ts';
export { toAnkoleChatml } from './write/to-ankole-chatml.ts';
