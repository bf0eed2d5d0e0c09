import type { DrivenFormat } from '../format.ts';
import type { Issue } from '../issue.ts';
import { parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import type { Storyline } from '../storyline.ts';
import { chooseContainer, defaultOuter, outerOf } from './choose-container.ts';
import { documentText } from './document-text.ts';
import { containerFor, startWriting } from './export.ts';
import { countIssue, fileFraming, standsAlone } from './join-documents.ts';
import type { ExportOptions } from './options.ts';
import { documentPlanner } from './plan.ts';
import { type StoryArray, storyCollection } from './story-collection.ts';
import { guardedNext, type WriteRun } from './write-run.ts';

/** What an export in memory gives. */
export interface ExportedDocument {
  /** The text of the file; "" when nothing could be written. Documents that failed are not in it. */
  readonly text: string;
  readonly issues: readonly Issue[];
}

/**
 * Writes Storylines that are in memory as the text of one file. Without `outer`, several documents become an array or lines where the
 * format has such a container; else they are the error `core/several-documents`.
 */
export function exportDocument(
  format: DrivenFormat,
  storylines: readonly Storyline[],
  options: ExportOptions = {},
): ExportedDocument {
  const issues: Issue[] = [];
  const known = options.outer === undefined ? undefined : chooseContainer(format, options.outer);
  const planner = documentPlanner(format, known);
  const stories = storyCollection(storylines);
  for (const head of stories.heads()) planner.add(head);
  const plans = planner.documents();
  const outer = options.outer ?? defaultOuter(format, plans.length);
  const container = outer === undefined ? undefined : chooseContainer(format, outer);
  const chosen = container ?? containerFor(format, options);
  const fault = countIssue(outerOf(chosen), chosen, plans.length);
  if (fault !== undefined) return { text: '', issues: [fault] };
  const framing = fileFraming(
    outerOf(chosen),
    chosen,
    options.indent ?? 0,
    format.writer?.finalNewline ?? true,
  );
  const texts: string[] = [];
  for (const plan of plans) {
    const run = startWriting(format, chosen, plan, options);
    let text = '';
    for (const piece of pull(run, stories)) text += framing.nest(piece);
    issues.push(...run.issues);
    if (!run.failed) texts.push(text);
  }
  if (texts.length === 0) {
    const text = standsAlone(outerOf(chosen), chosen) ? '' : outerOf(chosen) === 'array' ? '[]\n' : '';
    return { text, issues };
  }
  return { text: framing.open + texts.join(framing.between) + framing.close, issues };
}

/** The same as a value: of the one document, or of the array or lines as an array. `undefined` when nothing could be written. */
export function exportValue(
  format: DrivenFormat,
  storylines: readonly Storyline[],
  options: ExportOptions = {},
): { readonly value: Json | undefined; readonly issues: readonly Issue[] } {
  const { text, issues } = exportDocument(format, storylines, options);
  if (text === '') return { value: undefined, issues };
  const settings = {
    keepFloats: format.keepFloats ?? false,
    nonFinite: format.nonFinite ?? ('error' as const),
  };
  if (options.outer !== 'lines') return { value: parseJson(text, settings).value, issues };
  const lines = text.split('\n').filter((line) => line !== '');
  return { value: lines.map((line) => parseJson(line, settings).value ?? null), issues };
}

function* pull(run: WriteRun, stories: StoryArray): Generator<string> {
  const steps = documentText(run);
  let answer: Storyline | undefined;
  for (;;) {
    const step = guardedNext(run, steps, answer);
    answer = undefined;
    if (step === undefined) return;
    if (typeof step === 'string') yield step;
    else answer = stories.read(step.read);
  }
}
