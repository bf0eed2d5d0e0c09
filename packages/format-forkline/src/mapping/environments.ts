import type { Env, Json } from '@pchronicle/storyline-core';
import type { StepRow } from './database-run.ts';
import { stepKey } from './steps-layout.ts';

/** Gives the environment of a turn by its type and step: one object for all turns that share both, since 100,000 turns have a handful. */
export type EnvironmentOf = (type: string | undefined, stepIdx: Json | undefined) => Env | undefined;

/** Starts with the step table of a run; of steps with one idx the first names it. */
export function environments(table: readonly StepRow[]): EnvironmentOf {
  const known = new Map<string | undefined, Map<string | undefined, Env>>();
  const steps = new Map<string, StepRow>();
  for (const step of table) {
    if (!steps.has(stepKey(step.idx))) steps.set(stepKey(step.idx), step);
  }
  return (type, stepIdx) => {
    if (type === undefined && stepIdx === undefined) return undefined;
    const id = stepIdx === undefined ? undefined : stepKey(stepIdx);
    const ofStep = known.get(id) ?? new Map<string | undefined, Env>();
    known.set(id, ofStep);
    let env = ofStep.get(type);
    if (env === undefined) {
      const name = id === undefined ? undefined : steps.get(id)?.name;
      env = {
        ...(typeof name === 'string' ? { name } : {}),
        ...(id === undefined ? {} : { id }),
        ...(type === undefined ? {} : { event_type: type }),
      };
      ofStep.set(type, env);
    }
    return env;
  };
}
