import {
  type Detection,
  getOwn,
  type Head,
  isJsonArray,
  isJsonObject,
  type Json,
} from '@pchronicle/storyline-core';

/**
 * Looks for a task_id and an attempts map whose trajectories are ACTF objects or event arrays: `yes` when all of them are, `maybe`
 * when some are, or when only the file name says so. An array or lines of documents is judged by its first one.
 */
export function detectActf(head: Head): Detection {
  const { sketch, name } = head;
  const attempts =
    isJsonObject(sketch) && getOwn(sketch, 'task_id') !== undefined ? getOwn(sketch, 'attempts') : undefined;
  if (isJsonObject(attempts)) {
    const fits = Object.values(attempts).map(trajectoryFits);
    const sure = fits.filter((fit) => fit === 'yes').length;
    if (fits.some((fit) => fit !== 'no')) {
      const why = `it has a task_id, and ${sure} of ${fits.length} attempts have an ACTF trajectory or an event array`;
      return { confidence: sure === fits.length ? 'yes' : 'maybe', why };
    }
  }
  const json = head.shape === 'document' || head.shape === 'array' || head.shape === 'lines';
  return json && /\.actf\.jsonl?$/i.test(name ?? '')
    ? { confidence: 'maybe', why: 'the file name says ACTF; the content does not' }
    : { confidence: 'no', why: 'it has no task_id with attempts that have an ACTF trajectory' };
}

function trajectoryFits(attempt: Json): Detection['confidence'] {
  const trajectory = isJsonObject(attempt) ? getOwn(attempt, 'trajectory') : undefined;
  if (isJsonArray(trajectory)) return trajectory.every(isJsonObject) ? 'yes' : 'maybe';
  const version = isJsonObject(trajectory) ? getOwn(trajectory, 'schema_version') : undefined;
  return typeof version === 'string' && version.startsWith('ACTF_') ? 'yes' : 'no';
}
