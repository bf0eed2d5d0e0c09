import {
  describeJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
  type SourceRecord,
} from '@pchronicle/storyline-core';
import { checkShape } from './check-shape.ts';
import { checkSteps } from './check-steps.ts';
import { ACTF_VERSION, type ActfAttempt, type ActfFrame, type ActfPart } from './document.ts';
import { ATTEMPT, TRAJECTORY } from './shapes.ts';

/** Checks one attempt (RFC-0004, data model and validation); `undefined` after an error. */
export function decodeAttempt(record: SourceRecord<ActfFrame>, report: Report): ActfPart | undefined {
  for (const { value, at } of record.values()) {
    if (!checkAttempt(value, at.pointer, report)) return undefined;
    return { frame: record.frame, id: record.key ?? '', pointer: at.pointer, attempt: value as ActfAttempt };
  }
  return undefined;
}

/** The check itself, on a value at a pointer of its document. Reports every fault that {@link checkShape} and {@link checkSteps} find. */
export function checkAttempt(value: Json, pointer: string, report: Report): boolean {
  if (!isJsonObject(value)) {
    const message = `the attempt is ${describeJson(value)}; an object is expected`;
    report('error', 'actf/wrong-type', pointer, message);
    return false;
  }
  const fine = checkShape(value, ATTEMPT, pointer, report);
  const { trajectory } = value;
  // All faults are told, so what follows a fault is looked at too.
  return (!isJsonObject(trajectory) || checkTrajectory(trajectory, `${pointer}/trajectory`, report)) && fine;
}

function checkTrajectory(trajectory: JsonObject, pointer: string, report: Report): boolean {
  const { schema_version: version, steps } = trajectory;
  let fine = checkShape(trajectory, TRAJECTORY, pointer, report);
  if (typeof version === 'string' && version !== ACTF_VERSION) {
    const message = `schema_version is ${describeJson(version)}; only "${ACTF_VERSION}" is known`;
    report('error', 'actf/schema-version', `${pointer}/schema_version`, message);
    fine = false;
  }
  return (!isJsonArray(steps) || checkSteps(steps, pointer, report)) && fine;
}
