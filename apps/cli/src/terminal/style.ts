import picocolors from 'picocolors';

/** How text is set off on a terminal: colours, or plain text where there are none. */
export interface Style {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly loss: (text: string) => string;
  readonly info: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
}

/** Colours if `enabled`. */
export function createStyle(enabled: boolean): Style {
  const colors = picocolors.createColors(enabled);
  return {
    error: colors.red,
    warning: colors.yellow,
    loss: colors.magenta,
    info: colors.cyan,
    strong: colors.bold,
    faint: colors.dim,
    good: colors.green,
  };
}

/** Whether a stream gets colours: `--no-color` and a non-empty NO_COLOR say no, FORCE_COLOR says yes, else a terminal that is not dumb. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  flag: boolean,
  env: NodeJS.ProcessEnv = process.env,
): boolean {
  if (!flag || (env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
