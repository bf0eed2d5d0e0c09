import { type Json, sha256Hex } from '@pchronicle/storyline-core';
import { canonicalForm } from '../canon/canonical.ts';
import type { Step } from './steps.ts';

/** What Forkline prints of a step. */
export interface StepSummary {
  readonly idx: number;
  readonly name: string;
  readonly input_hash: string;
  readonly output_hash: string;
  readonly event_count: number;
  readonly has_error: boolean;
}

/** Comparable texts of the steps of one run, each made once, when first asked for. */
export interface StepSignature {
  name(index: number): string;
  /** Canonical text of the list of input payloads. */
  input(index: number): string;
  output(index: number): string;
  /** Empty without an error event, else the canonical text of their payloads. */
  errors(index: number): string;
  /** Canonical text of all events as [type, payload]. */
  events(index: number): string;
  /** Name and input: what a resynchronisation looks for. */
  key(index: number): string;
  summary(index: number): StepSummary;
}

/** Makes the lazy signatures of a run's steps. */
export function stepSignatures(steps: readonly Step[]): StepSignature {
  const at = (index: number): Step => steps[index] ?? { idx: index, name: '', events: [] };
  const remember = (make: (step: Step) => string): ((index: number) => string) => {
    const made: (string | undefined)[] = [];
    return (index) => {
      const known = made[index];
      if (known !== undefined) return known;
      const text = make(at(index));
      made[index] = text;
      return text;
    };
  };
  const payloads = (step: Step, type: string): string =>
    canonicalForm(step.events.filter((event) => event.type === type).map((event) => event.payload)).text;
  const input = remember((step) => payloads(step, 'input'));
  const output = remember((step) => payloads(step, 'output'));
  const hasError = (step: Step): boolean => step.events.some((event) => event.type === 'error');
  return {
    name: (index) => at(index).name,
    input,
    output,
    errors: remember((step) => (hasError(step) ? payloads(step, 'error') : '')),
    events: remember(
      (step) => canonicalForm(step.events.map((event): Json => [event.type, event.payload])).text,
    ),
    key: (index) => `${at(index).name}\u0000${input(index)}`,
    summary(index) {
      const step = at(index);
      return {
        idx: step.idx,
        name: step.name,
        input_hash: sha256Hex(input(index)),
        output_hash: sha256Hex(output(index)),
        event_count: step.events.length,
        has_error: hasError(step),
      };
    },
  };
}
