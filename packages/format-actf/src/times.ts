/** The time that is written where there is none; reading it back gives none (decision G17). */
export const NO_TIME = '1970-01-01 00:00:00+00:00';

/** The two times of a trajectory or a step, without those that are only our own stand-in. */
export interface ReadTimes {
  readonly started?: string;
  readonly finished?: string;
}

/** Reads a pair of times. A finish is a stand-in only beside a start that is one. */
export function readTimes(times: { readonly started_at: string; readonly finished_at: string }): ReadTimes {
  const { started_at: started, finished_at: finished } = times;
  if (started !== NO_TIME) return { started, finished };
  return finished === NO_TIME ? {} : { finished };
}
