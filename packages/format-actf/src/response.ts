import { isInteger, type Json, type ToolResponse } from '@pchronicle/storyline-core';
import { isFilled } from './emptiness.ts';

/** The status and exit code of a call, where they are of the types that Storyline has for them (decision A8); `undefined` when neither is. */
export function responseOf(status: Json | undefined, exitCode: Json | undefined): ToolResponse | undefined {
  if (!isFilled(status)) return isInteger(exitCode) ? { exit_code: exitCode } : undefined;
  return isInteger(exitCode) ? { status, exit_code: exitCode } : { status };
}
