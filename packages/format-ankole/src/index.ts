export {
  isCanonicalHeader,
  isCanonicalMessage,
} from './canonical/is-canonical-message.ts';
export { type ParsedEnvelope, parseEnvelope } from './canonical/parse-envelope.ts';
export { type ProjectedItem, projectItem } from './items/project-item.ts';
export { type ProviderView, providerView } from './provider/provider-view.ts';
