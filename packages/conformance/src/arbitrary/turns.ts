import { type Json, type JsonInteger, JsonNumber } from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { arbitraryJson, arbitraryObjectOf, arbitraryText } from './json.ts';
import type { StorylineOptions } from './storyline.ts';
import { arbitraryTime } from './time.ts';

/** The turns of one Storyline, as JSON: ids unique in it, and call ids too. */
export function arbitraryTurns(options: StorylineOptions): fc.Arbitrary<readonly Json[]> {
  const { turns = 5, turnIds = 'any' } = options;
  return fc
    .array(arbitraryTurn(options), { maxLength: turns })
    .chain((made) =>
      arbitraryTurnIds(made.length, turnIds).map((ids) =>
        made.map((turn, index) => ({ ...turn, id: ids[index] ?? index, ...callIds(turn, index) }) as Json),
      ),
    );
}

function arbitraryTurnIds(count: number, kind: 'any' | 'increasing'): fc.Arbitrary<readonly JsonInteger[]> {
  if (kind === 'increasing') {
    return fc.array(fc.integer({ min: 1, max: 3 }), { minLength: count, maxLength: count }).map((gaps) => {
      let id = 0;
      return gaps.map((gap) => {
        id += gap;
        return id;
      });
    });
  }
  const any = fc.oneof(
    fc.integer({ min: -3, max: 50 }),
    fc.maxSafeInteger(),
    fc.constantFrom('9007199254740993', '1786000000123456789').map((token) => new JsonNumber(token)),
  );
  return fc.uniqueArray(any, { minLength: count, maxLength: count, selector: String });
}

interface RawTurn {
  readonly tool_calls?: readonly { readonly [key: string]: unknown }[];
}

/** Call ids that are unique in the document, though they look like anything. */
function callIds(turn: RawTurn, position: number): { readonly tool_calls?: readonly unknown[] } {
  if (turn.tool_calls === undefined) return {};
  return {
    tool_calls: turn.tool_calls.map((call, index) => ({
      ...call,
      tcid: `${call.tcid}-${position}-${index}`,
    })),
  };
}

function arbitraryTurn(options: StorylineOptions): fc.Arbitrary<RawTurn> {
  const text = arbitraryText(options);
  const name = text.filter((value) => value !== '');
  const json = arbitraryJson({ depth: 2, ...options });
  const object = arbitraryObjectOf(json, options);
  const response = fc.oneof(
    fc.record({ status: text }),
    fc.record({ exit_code: fc.integer() }),
    fc.record({ status: text, exit_code: fc.integer() }),
  );
  const call = fc.record(
    {
      tcid: text,
      fn: name,
      args: json,
      result: json,
      duration_ms: fc.nat(),
      extra: json,
      kind: text,
      response,
    },
    { requiredKeys: ['tcid', 'fn', 'args'] },
  );
  const observation = fc.oneof(
    json,
    fc.array(fc.oneof(object, json), { maxLength: 3 }).map((results) => ({ results })),
  );
  const prompt = fc.oneof(
    fc.record({ system: name }),
    fc.record({ user: name }),
    fc.record({ system: name, user: name }),
    fc.constant({ system: '', user: '' }),
  );
  return fc.record(
    {
      src: fc.oneof(fc.constantFrom('user', 'agent', 'system'), name),
      msg: fc.oneof({ weight: 3, arbitrary: text as fc.Arbitrary<Json> }, { weight: 1, arbitrary: json }),
      kind: text,
      ts: arbitraryTime(),
      finished_at: arbitraryTime(),
      reason: text,
      effort: json,
      tool_calls: fc.array(call, { maxLength: 3 }),
      observation,
      metrics: fc.oneof(object, json),
      extra: json,
      model: text,
      nllm: fc.nat({ max: 3 }),
      latency_ms: fc.nat(),
      ttft_ms: fc.nat(),
      env: fc.record(
        { name: text, endpoint: text, id: text, event_type: text, request_id: text, state: object },
        { requiredKeys: [] },
      ),
      prompt,
    },
    { requiredKeys: ['src', 'msg'] },
  ) as fc.Arbitrary<RawTurn>;
}
