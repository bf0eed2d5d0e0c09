import {
  collectIssues,
  countUnknownKeys,
  type Json,
  JsonNumber,
  type JsonObject,
  type MutableJsonObject,
  readStoryline,
  type Storyline,
  setOwn,
  type UnknownFields,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import {
  arbitraryJson,
  arbitraryNumber,
  arbitraryObjectOf,
  arbitraryText,
  type JsonOptions,
} from './json.ts';
import { arbitraryTime } from './time.ts';
import { arbitraryTurns } from './turns.ts';

/** What a generated Storyline may hold. */
export interface StorylineOptions extends JsonOptions {
  /** `any` turn ids (negative, out of order, 64-bit), or positive and `increasing` ones, which formats with numbered steps ask for; default `any`. */
  readonly turnIds?: 'any' | 'increasing';
  /** Largest number of turns; default 5. */
  readonly turns?: number;
}

/** Any valid Storyline in canonical form, every optional field there or not, open fields hostile and exact unless told otherwise. */
export function arbitraryStoryline(options: StorylineOptions = {}): fc.Arbitrary<Storyline> {
  const text = arbitraryText(options);
  const name = text.filter((value) => value !== '');
  const json = arbitraryJson({ depth: 2, ...options });
  const object = arbitraryObjectOf(json, options);
  const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
    fc.record(model, { requiredKeys: [] });

  const result = fc
    .tuple(
      some({
        correct: fc.boolean(),
        score: json,
        status: text,
        error: text,
        final_answer: json,
        ground_truth: json,
        artifacts: json,
        max_score: json,
        category: text,
        attempts_tried: fc.nat({ max: 9 }),
      }),
      object,
    )
    .map(([typed, extras]) => ({ ...withoutTyped(extras), ...typed }));

  const model = {
    schema_version: fc.constant('storyline/v1'),
    session: name,
    agent: fc.record(
      { id: name, name: text, ver: text, model: text, tools: json, extra: json },
      { requiredKeys: ['id'] },
    ),
    turns: arbitraryTurns(options),
    origin: fc.record(
      { format: name, schema_version: name, document_id: name },
      { requiredKeys: ['format'] },
    ),
    run: text,
    trajectory: name,
    attempt_id: text,
    parent: fc.record(
      {
        psid: text,
        scid: text,
        ptid: fc.oneof(fc.integer(), fc.constant(new JsonNumber('9007199254740993'))),
        rel: text,
      },
      { requiredKeys: ['psid'] },
    ),
    children: fc.array(text, { maxLength: 3 }),
    notes: text,
    task: fc
      .tuple(
        some({ name: text, endpoint: text, id: text, event_type: text, request_id: text, state: object }),
        fc.nat({ max: 20 }),
        result,
      )
      .map(([env, k, outcome]) => ({ env, llm: { k: k + 1 }, result: outcome })),
    prompt: fc
      .oneof(some({ system: text }), some({ user: text }), fc.record({ system: text, user: text }))
      .filter(hasText),
    started_at: arbitraryTime(),
    finished_at: arbitraryTime(),
    final_metrics: fc.oneof(json, arbitraryObjectOf(arbitraryNumber(options), options)),
    continued_trajectory_ref: text,
    extra: json,
    meta: json,
    unknown_fields: arbitraryForeignResiduals(json),
  };
  return fc
    .record(model, { requiredKeys: ['schema_version', 'session', 'agent', 'turns'] })
    .map((raw) => canonical(raw as unknown as JsonObject));
}

/** Residuals of a source that no format of this project owns. */
function arbitraryForeignResiduals(json: fc.Arbitrary<Json>): fc.Arbitrary<UnknownFields> {
  return fc
    .array(fc.tuple(fc.constantFrom('/vendor', '/vendor/0/x', '/a~1b', '/__proto__', '/数据'), json), {
      minLength: 1,
      maxLength: 3,
    })
    .map((entries) => {
      const fields: MutableJsonObject = {};
      for (const [pointer, value] of entries) setOwn(fields, pointer, value);
      return { sources: { 'conformance-vendor': { source_document_id: 'vendor-document', fields } } };
    });
}

const typedResultKeys = [
  'correct',
  'score',
  'status',
  'error',
  'final_answer',
  'ground_truth',
  'artifacts',
  'max_score',
];

function withoutTyped(object: { readonly [key: string]: Json }): { [key: string]: Json } {
  const rest: MutableJsonObject = {};
  for (const key of Object.keys(object)) {
    if (!typedResultKeys.includes(key)) setOwn(rest, key, object[key] ?? null);
  }
  return rest;
}

function hasText(prompt: { system?: string; user?: string }): boolean {
  return (prompt.system ?? '') !== '' || (prompt.user ?? '') !== '';
}

function canonical(raw: JsonObject): Storyline {
  const { unknown_fields: unknownFields } = raw as { unknown_fields?: UnknownFields };
  const counted =
    unknownFields === undefined
      ? raw
      : ({ ...(raw as object), unknown_key_counts: countUnknownKeys(unknownFields) } as Json);
  const { report, issues } = collectIssues();
  const storyline = readStoryline(counted, report);
  if (storyline === undefined)
    throw new Error(
      `arbitraryStoryline made an invalid Storyline: ${issues[0]?.message} at ${issues[0]?.at.pointer}`,
    );
  return storyline;
}
