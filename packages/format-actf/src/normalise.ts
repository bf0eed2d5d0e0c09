import {
  appendPointer,
  getOwn,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '@pchronicle/storyline-core';
import { normaliseEvents } from './normalise-events.ts';
import { normaliseSteps } from './normalise-step.ts';

/**
 * The normal form of an ACTF document: what importing and exporting it gives (decision G1). It is written from the closed list
 * "Normalisations" in MAPPING.md, apart from reader and writer, and is idempotent. For a document that the reader rejects it
 * means nothing, but it does not throw.
 */
export function normaliseActf(document: Json): Json {
  if (!isJsonObject(document)) return document;
  const attempts = getOwn(document, 'attempts');
  if (!isJsonObject(attempts)) return document;
  const envelope = readEnvelope(getOwn(document, '_storyline'));
  const normal: MutableJsonObject = {};
  for (const id of Object.keys(attempts)) {
    const aside = new Map<string, Json>();
    setOwn(normal, id, normaliseAttempt(getOwn(attempts, id) ?? null, appendPointer('/attempts', id), aside));
    if (aside.size > 0)
      addEvents(envelope, appendPointer('/attempts', id), getOwn(document, 'task_id') ?? null, aside);
  }
  const { _storyline: _, retry_count: count, retry_counts: counts, ...root } = document;
  return {
    ...root,
    solved_at: root.solved_at || null,
    ...(saysNothing(count) ? {} : { retry_count: count as Json }),
    ...(saysNothing(counts) ? {} : { retry_counts: counts as Json }),
    attempts: normal,
    ...writeEnvelope(envelope),
  };
}

function normaliseAttempt(attempt: Json, pointer: string, aside: Map<string, Json>): Json {
  if (!isJsonObject(attempt)) return attempt;
  const { max_score: maxScore, trajectory = null, ...rest } = attempt;
  const { final_answer, ground_truth, status, score, error, artifacts, extra, analysis_result, meta } = rest;
  return {
    ...rest,
    final_answer: saysNothing(final_answer) ? null : (final_answer as Json),
    ground_truth: saysNothing(ground_truth) ? '' : (ground_truth as Json),
    status: status ?? '',
    score: saysNothing(score) ? null : (score as Json),
    ...(saysNothing(maxScore) ? {} : { max_score: maxScore as Json }),
    error: error ?? '',
    artifacts:
      saysNothing(artifacts) || (isJsonArray(artifacts) && artifacts.length === 0) ? {} : (artifacts as Json),
    extra: extra ?? {},
    analysis_result: analysis_result ?? {},
    meta: meta ?? {},
    trajectory: isJsonArray(trajectory)
      ? normaliseEvents(trajectory, `${pointer}/trajectory`, aside)
      : normaliseTrajectory(trajectory),
  };
}

function normaliseTrajectory(trajectory: Json): Json {
  if (!isJsonObject(trajectory) || !isJsonArray(trajectory.steps)) return trajectory;
  return { ...trajectory, steps: normaliseSteps(trajectory.steps) };
}

/** null, missing, "" and {} are one value where Storyline has an optional one. */
function saysNothing(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/** Carrier → source → block. */
type Envelope = Map<string, Map<string, JsonObject>>;

/** The blocks of other sources that have fields; those that importing consumes are not written again. */
function readEnvelope(value: Json | undefined): Envelope {
  const envelope: Envelope = new Map();
  const carriers = member(member(value, 'unknown_fields'), 'by_trajectory');
  for (const carrier of Object.keys(carriers)) {
    const sources = member(member(carriers, carrier), 'sources');
    for (const source of Object.keys(sources)) {
      const block = member(sources, source);
      if (
        source === 'actf-layout' ||
        source === 'storyline' ||
        Object.keys(member(block, 'fields')).length === 0
      )
        continue;
      const known = envelope.get(carrier) ?? new Map<string, JsonObject>();
      envelope.set(carrier, known.set(source, block));
    }
  }
  return envelope;
}

function member(value: Json | undefined, key: string): JsonObject {
  const found = isJsonObject(value) ? getOwn(value, key) : undefined;
  return isJsonObject(found) ? found : {};
}

function addEvents(
  envelope: Envelope,
  carrier: string,
  taskId: Json,
  aside: ReadonlyMap<string, Json>,
): void {
  const sources = envelope.get(carrier) ?? new Map<string, JsonObject>();
  const fields = { ...member(sources.get('openclaw'), 'fields'), ...Object.fromEntries(aside) };
  envelope.set(carrier, sources.set('openclaw', { source_document_id: taskId, fields }));
}

function writeEnvelope(envelope: Envelope): JsonObject {
  if (envelope.size === 0) return {};
  const carriers = [...envelope].map(
    ([carrier, sources]) => [carrier, { sources: Object.fromEntries(sources) }] as const,
  );
  return { _storyline: { unknown_fields: { version: 1, by_trajectory: Object.fromEntries(carriers) } } };
}
