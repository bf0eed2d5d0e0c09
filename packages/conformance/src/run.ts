import {
  collectIssues,
  type Issue,
  importDocument,
  isJsonObject,
  type Json,
  readStoryline,
  type Storyline,
  storylineToJson,
} from '@pchronicle/storyline-core';
import * as fc from 'fast-check';
import { deepFreeze } from './freeze.ts';
import type { FormatUnderTest, Material } from './law.ts';
import { parentPointer, pointerExists, valuesAt } from './pointers.ts';

/** The material's documents, generated or chosen from the samples. */
export function documentsOf(material: Material): fc.Arbitrary<Json> {
  return material.documents ?? fc.constantFrom(...material.samples.map((sample) => sample.document));
}

/** fast-check's parameters for a property. */
export function runs(material: Material): fc.Parameters<unknown> {
  return {
    numRuns: material.numRuns ?? 100,
    includeErrorInReport: true,
    ...(material.seed === undefined ? {} : { seed: material.seed }),
  };
}

/** What an import gave; an import that throws, writes into its input, or gives a malformed issue or Storyline is a broken law. */
export interface Imported {
  readonly storylines: readonly Storyline[];
  readonly issues: readonly Issue[];
  readonly accepted: boolean;
}

/** Imports one document and checks what holds for every import, whatever the input. */
export function importChecked(format: FormatUnderTest, input: Json | Uint8Array): Imported {
  const { storylines, issues } = importDocument(
    format,
    input instanceof Uint8Array ? input : deepFreeze(input),
    { source: 'input' },
  );
  const document = input instanceof Uint8Array ? undefined : input;
  for (const issue of issues) checkIssue(issue, document);
  const failed = issues.some((issue) => issue.severity === 'error');
  if (storylines.length === 0 && !failed)
    throw new Error('nothing came out of the document, and no error says why');
  // An object of rows holds a document for each group, and each stands or falls alone (decision G7).
  const isOneDocument = !format.containers.some(({ kind }) => kind === 'rows');
  if (failed && storylines.length > 0 && isOneDocument && isJsonObject(document)) {
    throw new Error(`a document with an error gave ${storylines.length} Storylines`);
  }
  for (const storyline of storylines) checkStoryline(storyline);
  return { storylines, issues, accepted: !failed };
}

/** The message of the first error, for a person. */
export function firstError(issues: readonly Issue[]): string {
  const error = issues.find((issue) => issue.severity === 'error');
  return error === undefined ? 'no error' : `${error.code} at "${error.at.pointer}": ${error.message}`;
}

function checkIssue(issue: Issue, document: Json | undefined): void {
  const shown = JSON.stringify(issue);
  // The driver catches what a reader throws, so that its user's other documents go on; here it is what we look for.
  if (issue.code === 'core/reader-fault') throw new Error(`the reader has a bug: ${shown}`);
  if (!/^[a-z][a-z0-9-]*\/[a-z0-9]+(-[a-z0-9]+)*$/.test(issue.code))
    throw new Error(`the code is not package/kebab-case: ${shown}`);
  if (issue.message.length < 10 || /\n\s+at /.test(issue.message))
    throw new Error(`the message is no sentence for a person: ${shown}`);
  const { pointer } = issue.at;
  if (pointer !== '' && !pointer.startsWith('/'))
    throw new Error(`the pointer is no RFC 6901 pointer: ${shown}`);
  // A missing member is named by the pointer it would have, so its parent must be there. Losses point into the Storyline.
  if (issue.severity === 'loss' || issue.code === 'core/too-deep' || !isJsonObject(document)) return;
  if (
    !pointerExists(document, pointer) &&
    !pointerExists(document, parentPointer(pointer)) &&
    !leadsIntoText(document, pointer)
  ) {
    throw new Error(`the pointer leads nowhere in the document: ${shown}`);
  }
}

/** Whether a pointer goes on behind a text: a format may read JSON that stands in a text, and name places in it. */
function leadsIntoText(document: Json, pointer: string): boolean {
  for (let outer = parentPointer(pointer); outer !== ''; outer = parentPointer(outer)) {
    if (valuesAt(document, outer).some((value) => typeof value === 'string')) return true;
  }
  return false;
}

function checkStoryline(storyline: Storyline): void {
  const { report, issues } = collectIssues();
  if (readStoryline(storylineToJson(storyline), report) === undefined)
    throw new Error(`an invalid Storyline came out: ${firstError(issues)}`);
}
