import { stringify } from '../json/stringify.ts';
import { getOwn, type JsonObject, type MutableJsonObject } from '../json/value.ts';
import type { ToolCall } from '../storyline.ts';
import { addMissing } from './add-missing.ts';
import { objectOf } from './chain-state.ts';
import { sourceIdOf } from './source-call-id.ts';

/** A call as messages have it; with `isExact` its other members too. */
export function callOf(call: ToolCall, isExact: boolean): JsonObject {
  const extra = objectOf(call.extra) ?? {};
  const namespace = getOwn(extra, 'namespace');
  // A text is what the source has for arguments that are no JSON, unless it says that they are a JSON string.
  const isText = typeof call.args === 'string' && getOwn(extra, 'args_form') !== 'json';
  const called: MutableJsonObject = {
    name: call.fn,
    arguments: isText ? (call.args as string) : stringify(call.args),
    ...(typeof namespace === 'string' ? { namespace } : {}),
  };
  const made: MutableJsonObject = { id: sourceIdOf(call), type: 'function', function: called };
  if (!isExact) return made;
  addMissing(called, getOwn(extra, 'function_payload'));
  return addMissing(made, getOwn(extra, 'payload'));
}
