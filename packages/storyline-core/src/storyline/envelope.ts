import type { IssueCode, Report } from '../issue.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, isJsonObject, isNumeric, type Json, type JsonObject } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { countUnknownKeys } from './count-unknown-keys.ts';
import { describeJson } from './describe-json.ts';
import { mergeUnknownFields, type ResidualSources } from './merge-unknown-fields.ts';
import { isPointer } from './residual.ts';

/** The reserved root key that carries residuals of other sources through a document (storyline-v1 §9). */
export const ENVELOPE_KEY = '_storyline';

/**
 * Reads the value of `_storyline`: carrier pointer → source blocks. `undefined` after an error: `storyline/envelope-shape`,
 * `storyline/envelope-version`, `storyline/envelope-pointer` (a carrier or residual key that is no RFC 6901 pointer).
 */
export function readEnvelope(value: Json, report: Report): ReadonlyMap<string, ResidualSources> | undefined {
  let failed = false;
  const fail = (code: IssueCode, pointer: string, message: string): undefined => {
    failed = true;
    report('error', code, pointer, message);
  };
  /** The object at a pointer, with exactly these keys. */
  const closed = (
    object: Json | undefined,
    pointer: string,
    keys: readonly string[],
  ): JsonObject | undefined => {
    if (!isJsonObject(object)) {
      return fail(
        'storyline/envelope-shape',
        pointer,
        `${pointer} is ${describeJson(object)}; an object with ${keys.join(' and ')} is expected`,
      );
    }
    for (const key of Object.keys(object)) {
      if (!keys.includes(key)) {
        fail(
          'storyline/envelope-shape',
          appendPointer(pointer, key),
          `${JSON.stringify(key)} is not a key of the ${ENVELOPE_KEY} envelope; ${keys.join(' and ')} is all that may stand here`,
        );
      }
    }
    for (const key of keys) {
      if (!Object.hasOwn(object, key))
        fail('storyline/envelope-shape', pointer, `${pointer} has no ${key}; it is required`);
    }
    return object;
  };
  /** The members of a map at a pointer. */
  const entries = (object: Json | undefined, pointer: string): readonly (readonly [string, Json])[] => {
    if (object === undefined) return [];
    if (isJsonObject(object)) return Object.entries(object);
    fail('storyline/envelope-shape', pointer, `${pointer} is ${describeJson(object)}; an object is expected`);
    return [];
  };

  const root = `/${ENVELOPE_KEY}`;
  const outer = closed(value, root, ['unknown_fields']);
  const place = `${root}/unknown_fields`;
  const inner =
    outer && Object.hasOwn(outer, 'unknown_fields')
      ? closed(getOwn(outer, 'unknown_fields'), place, ['version', 'by_trajectory'])
      : undefined;
  if (inner === undefined) return undefined;
  const version = getOwn(inner, 'version');
  if (version !== undefined && !(isNumeric(version) && Number(version) === 1)) {
    fail(
      'storyline/envelope-version',
      `${place}/version`,
      `the ${ENVELOPE_KEY} envelope has version ${describeJson(version)}; only version 1 is known`,
    );
  }
  const result = new Map<string, ResidualSources>();
  for (const [carrier, bound] of entries(getOwn(inner, 'by_trajectory'), `${place}/by_trajectory`)) {
    const carrierPlace = appendPointer(`${place}/by_trajectory`, carrier);
    if (!isPointer(carrier)) {
      fail(
        'storyline/envelope-pointer',
        carrierPlace,
        `${JSON.stringify(carrier)} is no RFC 6901 pointer; a carrier points to a story of this document`,
      );
    }
    const binding = closed(bound, carrierPlace, ['sources']);
    if (binding === undefined) continue;
    const sources = getOwn(binding, 'sources');
    for (const [source, block] of entries(sources, `${carrierPlace}/sources`)) {
      const blockPlace = appendPointer(`${carrierPlace}/sources`, source);
      const parts = closed(block, blockPlace, ['source_document_id', 'fields']);
      if (parts === undefined) continue;
      const id = getOwn(parts, 'source_document_id');
      if (id !== undefined && typeof id !== 'string') {
        fail(
          'storyline/envelope-shape',
          `${blockPlace}/source_document_id`,
          `source_document_id is ${describeJson(id)}; a text is expected`,
        );
      }
      for (const [pointer] of entries(getOwn(parts, 'fields'), `${blockPlace}/fields`)) {
        if (!isPointer(pointer)) {
          fail(
            'storyline/envelope-pointer',
            appendPointer(`${blockPlace}/fields`, pointer),
            `${JSON.stringify(pointer)} is no RFC 6901 pointer; residual keys are pointers into their source document`,
          );
        }
      }
    }
    if (isJsonObject(sources)) result.set(carrier, sources as unknown as ResidualSources);
  }
  return failed ? undefined : result;
}

/**
 * Merges the source blocks of one carrier into its Storyline and recounts (storyline-v1 §9). What is wrong is told at the block itself. `undefined` after an error:
 * `storyline/envelope-own-source` for a block of the host format's own source, or a conflict of {@link mergeUnknownFields}.
 */
export function mergeEnvelope(
  storyline: Storyline,
  sources: ResidualSources,
  hostSources: string | readonly string[],
  report: Report,
  carrier = '',
): Storyline | undefined {
  const place = appendPointer(`/${ENVELOPE_KEY}/unknown_fields/by_trajectory`, carrier, 'sources');
  const hostSource = [hostSources].flat().find((source) => Object.hasOwn(sources, source));
  if (hostSource !== undefined) {
    report(
      'error',
      'storyline/envelope-own-source',
      appendPointer(place, hostSource),
      `the ${ENVELOPE_KEY} envelope holds residuals of ${hostSource}, the format of this document; they belong at their own pointers`,
    );
    return undefined;
  }
  const merged = mergeUnknownFields(storyline.unknown_fields, sources, report, place);
  if (merged === undefined) return undefined;
  const { unknown_fields: _fields, unknown_key_counts: _counts, ...rest } = storyline;
  if (Object.keys(merged.sources).length === 0) return rest;
  return { ...rest, unknown_fields: merged, unknown_key_counts: countUnknownKeys(merged) };
}
