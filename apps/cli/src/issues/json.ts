import type { Issue } from '@pchronicle/storyline-core';
import { safeJson } from '../terminal/safe.ts';

/** An issue as the JSON object that scripts rely on: `{code, severity, message, at}` in one line. */
export function issueJson(issue: Issue): string {
  const { code, severity, message, at } = issue;
  return safeJson(JSON.stringify({ code, severity, message, at }));
}
