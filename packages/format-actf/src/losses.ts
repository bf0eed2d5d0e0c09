import {
  appendPointer,
  describeJson,
  equalJson,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Report,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';

/** Where to look inside: members of objects, elements of arrays (under `*`). Everything else is compared whole. */
interface Inside {
  readonly [key: string]: Inside;
}

const HERE: Inside = {};

const STORYLINE: Inside = {
  agent: HERE,
  origin: HERE,
  task: { env: HERE, llm: HERE, result: HERE },
  prompt: HERE,
  final_metrics: HERE,
  turns: {
    '*': {
      metrics: HERE,
      prompt: HERE,
      tool_calls: { '*': { response: HERE } },
      observation: { results: { '*': HERE } },
    },
  },
};

/** Members that residuals and the envelope take care of. */
const ELSEWHERE = new Set(['unknown_fields', 'unknown_key_counts']);

/**
 * Reports what of a Storyline reading it back does not give (decisions G14, A11): `actf/no-slot` for what is gone,
 * `actf/reads-differently` for what has another value; each a loss at its pointer in the Storyline.
 */
export function reportLosses(story: Storyline, reread: Storyline, report: Report): void {
  compare(storylineToJson(story), storylineToJson(reread), STORYLINE, '', report);
}

// Recursion follows the shape above, never the data. Both values are objects, or both are arrays.
function compare(before: Json, after: Json, inside: Inside, pointer: string, report: Report): void {
  if (isJsonArray(before) && isJsonArray(after)) {
    const deeper = inside['*'];
    before.forEach((value, index) => {
      compareMember(value, after[index], deeper, pointer, index, report);
    });
    return;
  }
  for (const key of Object.keys(before as JsonObject)) {
    if (pointer === '' && ELSEWHERE.has(key)) continue;
    const deeper = Object.hasOwn(inside, key) ? inside[key] : undefined;
    compareMember(
      getOwn(before as JsonObject, key) as Json,
      getOwn(after as JsonObject, key),
      deeper,
      pointer,
      key,
      report,
    );
  }
}

function compareMember(
  value: Json,
  now: Json | undefined,
  inside: Inside | undefined,
  parent: string,
  token: string | number,
  report: Report,
): void {
  if (value === now) return;
  if (now !== undefined && inside !== undefined && areAlike(value, now)) {
    compare(value, now, inside, appendPointer(parent, token), report);
    return;
  }
  if (now !== undefined && equalJson(value, now)) return;
  const at = appendPointer(parent, token);
  if (now === undefined) report('loss', 'actf/no-slot', at, `ACTF has no place for ${at}; it is not written`);
  else {
    const message = `${at} is ${describeJson(value)} and comes back from ACTF as ${describeJson(now)}`;
    report('loss', 'actf/reads-differently', at, message);
  }
}

/** Whether two values can be compared member by member; an array that became longer or empty cannot. */
function areAlike(left: Json, right: Json): boolean {
  if (isJsonArray(left)) return isJsonArray(right) && right.length > 0;
  return isJsonObject(left) && isJsonObject(right) && Object.keys(left).length > 0;
}
