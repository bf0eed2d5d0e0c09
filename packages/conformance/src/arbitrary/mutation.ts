import {
  getPointer,
  isJsonArray,
  isJsonObject,
  type Json,
  type MutableJsonObject,
  parsePointer,
  setOwn,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { pointersOf } from '../pointers.ts';
import { arbitraryJson, arbitraryKey } from './json.ts';

/** One edit of a document. `at` picks the place, modulo the number of places. */
export interface Edit {
  readonly kind: 'replace' | 'remove' | 'repeat' | 'insert';
  readonly at: number;
  readonly key: string;
  readonly value: Json;
}

/** Documents that differ from legal ones in a few places: values replaced by anything, members gone, elements doubled, strange keys added. */
export function arbitraryMutation(documents: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const edit = fc.record<Edit>({
    kind: fc.constantFrom('replace', 'remove', 'repeat', 'insert'),
    at: fc.nat(),
    key: arbitraryKey(),
    value: arbitraryJson({ depth: 2 }),
  });
  return fc
    .tuple(documents, fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([document, edits]) => edits.reduce(applyEdit, document));
}

/** A document with one edit made; the document itself stays as it is. */
export function applyEdit(document: Json, edit: Edit): Json {
  const places = pointersOf(document);
  const pointer = places[edit.at % places.length] ?? '';
  const target = getPointer(document, pointer) ?? null;
  switch (edit.kind) {
    case 'replace':
      return withValue(document, pointer, edit.value);
    case 'repeat':
      return isJsonArray(target) && target.length > 0
        ? withValue(document, pointer, [...target, target[0] ?? null])
        : document;
    case 'insert':
      return isJsonObject(target)
        ? withValue(document, pointer, withMember(target, edit.key, edit.value))
        : document;
    case 'remove':
      return pointer === '' ? document : withValue(document, pointer, undefined);
  }
}

/** A copy of a document in which one place has another value, or none. */
function withValue(document: Json, pointer: string, value: Json | undefined): Json {
  const tokens = parsePointer(pointer) ?? [];
  let changed = value;
  for (let depth = tokens.length; depth > 0; depth -= 1) {
    const parent = ancestor(document, tokens, depth - 1);
    const token = tokens[depth - 1] ?? '';
    if (isJsonArray(parent)) {
      changed = parent.flatMap((element, index) =>
        String(index) !== token ? [element] : changed === undefined ? [] : [changed],
      );
    } else if (isJsonObject(parent)) {
      changed = withMember(parent, token, changed);
    }
  }
  return changed ?? null;
}

function ancestor(document: Json, tokens: readonly string[], depth: number): Json {
  let value: Json = document;
  for (const token of tokens.slice(0, depth)) {
    value = isJsonArray(value)
      ? (value[Number(token)] ?? null)
      : isJsonObject(value)
        ? (value[token] ?? null)
        : null;
  }
  return value;
}

function withMember(object: { readonly [key: string]: Json }, key: string, value: Json | undefined): Json {
  const copy: MutableJsonObject = {};
  for (const own of Object.keys(object)) {
    if (own !== key) setOwn(copy, own, object[own] ?? null);
    else if (value !== undefined) setOwn(copy, own, value);
  }
  if (value !== undefined && !Object.hasOwn(object, key)) setOwn(copy, key, value);
  return copy;
}
