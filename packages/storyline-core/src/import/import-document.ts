import type { AnyFormat, Container, RecordValue, SourceRecord } from '../format.ts';
import { collectIssues, type Issue } from '../issue.ts';
import { compareText } from '../json/compare-text.ts';
import { compareNumbers } from '../json/number.ts';
import { parseJson } from '../json/parse.ts';
import { appendPointer } from '../json/pointer.ts';
import {
  getOwn,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type Json,
  type JsonObject,
  type MutableJsonObject,
  setOwn,
} from '../json/value.ts';
import { mergeEnvelope, readEnvelope } from '../storyline/envelope.ts';
import { validateStoryline } from '../storyline/validate.ts';
import type { Storyline } from '../storyline.ts';
import type { ImportOptions } from './events.ts';

/** What {@link importDocument} gives: the Storylines of all accepted documents, and every issue. */
export interface ImportedDocument {
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
}

/** Imports one input that is in memory: text, bytes or a parsed value, in any of the format's containers. First version on parsed values; the streaming driver replaces it. */
export function importDocument(
  format: AnyFormat,
  input: string | Uint8Array | Json,
  options: ImportOptions & { readonly source?: string } = {},
): ImportedDocument {
  const storylines: Storyline[] = [];
  const issues: Issue[] = [];
  const source = options.source ?? 'input';
  const base = { source };
  const parseOptions = {
    ...options,
    keepFloats: format.keepFloats ?? false,
    nonFinite: format.nonFinite ?? options.nonFinite ?? ('error' as const),
    base,
  };
  let value: Json | undefined;
  let lines: Json[] | undefined;
  if (typeof input === 'string' || input instanceof Uint8Array) {
    const text = typeof input === 'string' ? input : new TextDecoder().decode(input);
    const parsed = parseJson(input, parseOptions);
    if (parsed.value === undefined && /\}\s*\n\s*\{/.test(text)) {
      lines = [];
      for (const line of text.split('\n')) {
        if (line.trim() === '') continue;
        const one = parseJson(line, parseOptions);
        issues.push(...one.issues);
        if (one.value !== undefined) lines.push(one.value);
      }
    } else {
      issues.push(...parsed.issues);
      if (parsed.value === undefined) return { storylines, issues };
      value = parsed.value;
    }
  } else value = input as Json;
  const find = (test: (container: Container) => boolean): Container | undefined =>
    format.containers.find(test);
  const values = lines ?? (isJsonArray(value) ? value : undefined);
  const container =
    values === undefined
      ? find((one) =>
          one.kind === 'rows' ? one.in === 'member' : one.kind !== 'external' && one.outer === 'document',
        )
      : (find(
          (one) =>
            one.kind !== 'external' &&
            (one.kind === 'rows' ? one.in : one.outer) === (lines ? 'lines' : 'array'),
        ) ?? find((one) => one.kind === 'document' && one.outer === 'document'));
  if (container === undefined || container.kind === 'external')
    throw new Error('this first version reads objects, arrays and lines only');
  const documents =
    container.kind === 'rows' || container.outer === 'document' ? [lines ?? value] : (values ?? []);
  for (const document of documents as Json[]) one(document);
  return { storylines, issues };

  function one(document: Json): void {
    const { report, issues: found, failed } = collectIssues(base);
    const reader = format.reader;
    if (reader === undefined || container === undefined || container.kind === 'external') return;
    const member = container.kind === 'document' ? undefined : container.member;
    let envelope: ReturnType<typeof readEnvelope>;
    let root: MutableJsonObject = {};
    let whole = document;
    if (isJsonObject(document)) {
      for (const key of Object.keys(document))
        if (key !== '_storyline' && key !== member) setOwn(root, key, getOwn(document, key) as Json);
      if (Object.hasOwn(document, '_storyline'))
        envelope = readEnvelope(getOwn(document, '_storyline') as Json, report);
      if (container.kind === 'document') whole = root;
    } else root = {};
    const held = member !== undefined && isJsonObject(document) ? getOwn(document, member) : document;
    const records: { key?: string; values: RecordValue[] }[] = [];
    const at = (pointer: string) => ({ ...base, pointer });
    if (container.kind === 'document') records.push({ values: [{ value: whole, index: 0, at: at('') }] });
    if (container.kind === 'entries') {
      if (isJsonObject(held)) {
        for (const key of Object.keys(held).sort(compareText)) {
          records.push({
            key,
            values: [
              { value: held[key] as Json, index: 0, at: at(appendPointer('', container.member, key)) },
            ],
          });
        }
      } else if (held !== undefined && isJsonObject(document)) setOwn(root, container.member, held);
    }
    if (container.kind === 'rows') {
      const groups = new Map<Json, RecordValue[]>();
      const { group, order } = container;
      if (isJsonArray(held)) {
        held.forEach((row, index) => {
          const key = isJsonObject(row) ? (getOwn(row, group) ?? row) : row;
          groups.set(key, [
            ...(groups.get(key) ?? []),
            { value: row, index, at: at(appendPointer('', container.member, index)) },
          ]);
        });
      }
      const orderOf = (row: Json, key: string): Json =>
        isJsonObject(row) ? (getOwn(row, key) ?? null) : null;
      for (const [key, rows] of groups) {
        rows.sort((left, right) => {
          for (const name of order) {
            const a = orderOf(left.value, name);
            const b = orderOf(right.value, name);
            const sign =
              isNumeric(a) && isNumeric(b)
                ? compareNumbers(a, b)
                : typeof a === 'string' && typeof b === 'string'
                  ? compareText(a, b)
                  : 0;
            if (sign !== 0) return sign;
          }
          return left.index - right.index;
        });
        records.push({ ...(typeof key === 'string' ? { key } : {}), values: rows });
      }
    }
    const keys = records.flatMap((record) => (record.key === undefined ? [] : [record.key]));
    const frame = reader.frame({ root: root as JsonObject, keys, source, at: at('') }, report);
    const stories: Storyline[] = [];
    if (frame !== undefined) {
      for (const record of records) {
        const sourceRecord: SourceRecord<unknown> = {
          frame,
          source,
          at: record.values[0]?.at ?? at(''),
          values: () => record.values,
          ...(record.key === undefined ? {} : { key: record.key }),
        };
        const part = reader.decode(sourceRecord, report);
        if (part === undefined) continue;
        let index = 0;
        for (const story of reader.toStorylines(part, report)) {
          const carriers = reader.carriers?.(part, index) ?? record.values.map((row) => row.at.pointer);
          index += 1;
          let merged: Storyline | undefined = story;
          for (const carrier of carriers) {
            const block = envelope?.get(carrier);
            if (merged !== undefined && block !== undefined)
              merged = mergeEnvelope(merged, block, format.id, report);
          }
          const valid = merged === undefined ? undefined : validateStoryline(merged, report);
          if (valid !== undefined) stories.push(valid);
        }
      }
    }
    issues.push(...found);
    if (!failed()) storylines.push(...stories);
  }
}
