export {
  FORKLINE_04_POLICY,
  FORKLINE_05_POLICY,
  type RedactionPattern,
  type RedactionPolicy,
  type RedactionRule,
} from './policy.ts';
export { redact } from './redact.ts';
