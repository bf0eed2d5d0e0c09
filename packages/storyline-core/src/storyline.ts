import type { Json, JsonInteger, JsonNumber, JsonObject } from './json/value.ts';

/** The only schema version of this package's Storylines (storyline-v1 §2). */
export const STORYLINE_VERSION = 'storyline/v1';

/** A time as the source wrote it: RFC 3339 text with offset, or Unix epoch seconds (storyline-v1 §7). Kept verbatim. */
export type TimeValue = string | number | JsonNumber;

/** Where a Storyline came from (storyline-v1 §3). */
export interface Origin {
  readonly format: string;
  readonly schema_version?: string;
  readonly document_id?: string;
}

/** Who acted (storyline-v1 §3). */
export interface Agent {
  readonly id: string;
  readonly name?: string;
  readonly ver?: string;
  readonly model?: string;
  readonly tools?: Json;
  readonly extra?: Json;
}

/** Link to the Storyline that started this one (storyline-v1 §3). An absent `rel` means `spawn`. */
export interface Parent {
  readonly psid: string;
  readonly scid?: string;
  readonly ptid?: JsonInteger;
  readonly rel?: string;
}

/** An environment, or a turn's delta against the task's (storyline-v1 §6). */
export interface Env {
  readonly name?: string;
  readonly endpoint?: string;
  readonly id?: string;
  readonly event_type?: string;
  readonly request_id?: string;
  readonly state?: JsonObject;
}

/** System and user prompt; a missing side reads as "" (storyline-v1 §5). */
export interface Prompt {
  readonly system?: string;
  readonly user?: string;
}

/** Result of the task: typed hub keys, and any extras beside them (storyline-v1 §4). */
export type TaskResult = JsonObject & {
  readonly correct?: boolean;
  readonly score?: Json;
  readonly status?: string;
  readonly error?: string;
  readonly final_answer?: Json;
  readonly ground_truth?: Json;
  readonly artifacts?: Json;
  readonly max_score?: Json;
};

/** The task: environment, model budget, result; at least one part is non-empty (storyline-v1 §4). */
export interface Task {
  readonly env?: Env;
  readonly llm?: { readonly k?: JsonInteger };
  readonly result?: TaskResult;
}

/** How a tool answered; at least one of the two (storyline-v1 §7). */
export interface ToolResponse {
  readonly status?: string;
  readonly exit_code?: JsonInteger;
}

/** One tool call of a turn (storyline-v1 §7). `tcid` is unique in the document; `args` is a required key and may be null. */
export interface ToolCall {
  readonly tcid: string;
  readonly fn: string;
  readonly args: Json;
  readonly result?: Json;
  readonly duration_ms?: JsonInteger;
  readonly extra?: Json;
  readonly kind?: string;
  readonly response?: ToolResponse;
}

/** One turn (storyline-v1 §7). `id` is unique in the document; `msg` is a required key and may be null. */
export interface Turn {
  readonly id: JsonInteger;
  readonly src: string;
  readonly msg: Json;
  readonly kind?: string;
  readonly ts?: TimeValue;
  readonly finished_at?: TimeValue;
  readonly reason?: string;
  readonly effort?: Json;
  readonly tool_calls?: readonly ToolCall[];
  readonly observation?: Json;
  readonly metrics?: Json;
  readonly extra?: Json;
  readonly model?: string;
  readonly nllm?: JsonInteger;
  readonly latency_ms?: JsonInteger;
  readonly ttft_ms?: JsonInteger;
  readonly copied?: boolean;
  readonly env?: Env;
  readonly prompt?: Prompt;
}

/** Residuals of one source: RFC 6901 pointer in the source document → value (storyline-v1 §8). */
export interface ResidualSource {
  readonly source_document_id: string;
  readonly fields: JsonObject;
}

/** All residuals of a Storyline by source name (storyline-v1 §8). */
export interface UnknownFields {
  readonly sources: { readonly [source: string]: ResidualSource };
}

/** Residuals counted: source → pointer with array positions as `*` → count (storyline-v1 §8). */
export interface UnknownKeyCounts {
  readonly [source: string]: { readonly [pointer: string]: number };
}

/** A Storyline without its turns: what writers group by and what the `runs` table holds. */
export interface StorylineHead {
  readonly schema_version: typeof STORYLINE_VERSION;
  readonly session: string;
  readonly agent: Agent;
  readonly origin?: Origin;
  readonly run?: string;
  readonly trajectory?: string;
  readonly attempt_id?: string;
  readonly parent?: Parent;
  readonly children?: readonly string[];
  readonly notes?: string;
  readonly task?: Task;
  readonly prompt?: Prompt;
  readonly started_at?: TimeValue;
  readonly finished_at?: TimeValue;
  readonly final_metrics?: Json;
  readonly continued_trajectory_ref?: string;
  readonly extra?: Json;
  readonly meta?: Json;
  readonly unknown_fields?: UnknownFields;
  readonly unknown_key_counts?: UnknownKeyCounts;
}

/** Storyline v1: one trajectory in the hub's own schema (storyline-v1 §2). No optional key is ever null. */
export interface Storyline extends StorylineHead {
  readonly turns: readonly Turn[];
}

/** The identity that people know: `trajectory` when present, else `session` (storyline-v1 §2). */
export function documentIdOf(head: StorylineHead): string {
  return head.trajectory !== undefined && head.trajectory !== '' ? head.trajectory : head.session;
}

/** A Storyline seen as plain JSON; the same object, no copy. */
export function storylineToJson(storyline: Storyline): JsonObject {
  return storyline as unknown as JsonObject;
}

/** The head of a Storyline: all but its turns. */
export function headOf(storyline: Storyline): StorylineHead {
  const { turns: _, ...head } = storyline;
  return head;
}
