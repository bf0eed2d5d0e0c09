import { isInteger, type Json, type ToolCall } from '@pchronicle/storyline-core';
import { isFilled } from './emptiness.ts';

/** The status and exit code of a call, where they are of the types that Storyline has for them (decision A8). */
export function responseOf(status: Json | undefined, exitCode: Json | undefined): Pick<ToolCall, 'response'> {
  const response = {
    ...(isFilled(status) ? { status } : {}),
    ...(isInteger(exitCode) ? { exit_code: exitCode } : {}),
  };
  return Object.keys(response).length === 0 ? {} : { response };
}
