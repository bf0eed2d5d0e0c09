import {
  documentIdOf,
  fieldsOf,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  type Report,
  restoreResiduals,
  type Storyline,
  type Turn,
} from '@pchronicle/storyline-core';
import { foreignEvents, isOneToOne } from './foreign-events.ts';
import { layoutIn, readRootNotes, runIdsIn, spellingsIn } from './read-layout.ts';
import { type Spelling, usualSpelling } from './spelling.ts';
import { timeText } from './time-text.ts';
import { payloadOf } from './turn-to-event.ts';
import { SOURCE, synthesisedCallId, typeOf, UNNAMED_RUN } from './vocabulary.ts';

/** The schema version to write: migrated versions become the current one, others stay what they were. */
export type VersionOf = (sourceVersion: string | undefined) => string;

/** The artifact of a Storyline, tags and unknown fields included; `undefined` after an error. */
export function artifactOf(
  storyline: Storyline,
  versionOf: VersionOf,
  report: Report,
): JsonObject | undefined {
  const own = storyline.origin?.format === SOURCE;
  const layout = own ? layoutIn(storyline) : {};
  const { lacks, nulls, empty } = readRootNotes(layout.root);
  const artifact: MutableJsonObject = {
    schema_version: versionOf(own ? storyline.origin?.schema_version : undefined),
  };
  const put = (key: string, value: Json | undefined): void => {
    if (value !== undefined && !lacks.includes(key)) artifact[key] = value;
  };
  const session = own ? storyline.session : documentIdOf(storyline);
  const isUnnamed = session === UNNAMED_RUN && empty.includes('run_id');
  put('run_id', isUnnamed ? '' : session);
  put('entrypoint', storyline.task?.env?.name ?? '');
  put('started_at', timeText(storyline.started_at) ?? firstTime(storyline, own) ?? '');
  put('ended_at', timeText(storyline.finished_at));
  put('status', storyline.task?.result?.status ?? (empty.includes('status') ? '' : undefined));
  if (own) put('forkline_version', storyline.agent.ver);
  put('metadata', isJsonObject(storyline.meta) ? storyline.meta : undefined);
  for (const key of nulls) {
    if (!Object.hasOwn(artifact, key)) artifact[key] = null;
  }
  if (!lacks.includes('events')) artifact.events = eventsOf(storyline, layout, artifact.run_id, own);
  const fields = fieldsOf(storyline, SOURCE);
  if (fields === undefined) return artifact;
  if (!own) {
    const message =
      'residuals of a Forkline artifact have no place in an artifact made from another document';
    report('loss', 'forkline/residuals-not-restored', '/unknown_fields/sources/forkline', message);
    return artifact;
  }
  let failed = false;
  restoreResiduals(
    artifact,
    fields,
    { createParents: true, mayReplace: isSynthesised },
    (severity, ...rest) => {
      if (severity === 'error') failed = true;
      report(severity, ...rest);
    },
  );
  return failed ? undefined : artifact;
}

/** Places where the writer puts a stand-in that the source's own value replaces (decision G12). */
function isSynthesised(pointer: string): boolean {
  return (
    /^\/(run_id|entrypoint|started_at|ended_at|status|forkline_version|metadata)$/.test(pointer) ||
    /^\/events\/\d+\/(ts|type|payload\/invocation_id)$/.test(pointer)
  );
}

function eventsOf(storyline: Storyline, layout: JsonObject, runId: Json | undefined, own: boolean): Json[] {
  if (!own && !storyline.turns.every(isOneToOne)) return foreignEvents(storyline, runId ?? '');
  const messages = isJsonObject(layout.messages) ? layout.messages : {};
  const spellings = spellingsIn(layout, storyline.turns.length);
  const ids = isJsonArray(layout.ids) ? layout.ids : undefined;
  const runIds = runIdsIn(layout, storyline.turns.length);
  return storyline.turns.map((turn, position) => {
    const hasCalls = (turn.tool_calls?.length ?? 0) > 0;
    // A foreign type that is not that of tool calls would hide the call from whoever reads the event.
    const named = own || !hasCalls ? turn.env?.event_type : undefined;
    const type = named ?? typeOf(turn.src, hasCalls);
    const spelling = spellings.get(position) ?? spellingOf(turn, type, messages, own);
    const event: MutableJsonObject = {};
    const { lacks } = spelling;
    if (!lacks.includes('event_id')) event.event_id = ids === undefined ? turn.id : (ids[position] ?? null);
    if (!lacks.includes('run_id'))
      event.run_id = runIds.has(position) ? (runIds.get(position) ?? null) : (runId ?? '');
    const ts = timeText(turn.ts);
    if (!lacks.includes('ts')) event.ts = ts ?? '';
    if (!lacks.includes('type')) event.type = type;
    if (!lacks.includes('payload')) event.payload = payloadOf(turn, type, spelling);
    return event;
  });
}

/** The usual spelling; a foreign call id is written even where it looks like one that a reader would make up. */
function spellingOf(turn: Turn, type: string, messages: JsonObject, own: boolean): Spelling {
  const usual = usualSpelling(turn, type, messages);
  const id = turn.tool_calls?.[0]?.tcid;
  if (own || usual.call === undefined || usual.call.id || id === synthesisedCallId(String(turn.id)))
    return usual;
  return { ...usual, call: { ...usual.call, id: true } };
}

/** A foreign Storyline without a start begins with its first turn that has a time. */
function firstTime(storyline: Storyline, own: boolean): string | undefined {
  if (own) return undefined;
  for (const turn of storyline.turns) if (turn.ts !== undefined) return timeText(turn.ts);
  return undefined;
}
