import { type ExportDocument, joinDocuments, type Outer, standsAlone } from '@pchronicle/storyline-core';
import { fileTarget } from '../io/file-target.ts';
import { stdoutTarget } from '../io/stdout-target.ts';
import type { Target } from '../io/target.ts';
import { placed } from './placed.ts';
import { refuseSeveral } from './refuse-several.ts';
import type { Outgoing, Reporting, Writing, Written } from './writing.ts';

/** Writes all documents into one file, or to stdout. A file of which nothing came out does not appear. */
export async function writeTogether(
  outgoing: AsyncIterable<Outgoing>,
  outer: Outer,
  writing: Writing,
  { report, flushLosses }: Reporting,
): Promise<Written> {
  const { context, format } = writing;
  const origins = new Map<ExportDocument, Outgoing>();
  let documents = 0;
  let storylines = 0;
  let failed = 0;
  let cut = false;
  const target = await targetOf(writing);
  try {
    const pieces = joinDocuments(outer, standing(outgoing, outer, format, origins), {
      indent: writing.options.indent ?? 0,
      issue(issue, document) {
        // Part of a document that failed is in the text already: the file is worth nothing.
        if (issue.code === 'core/document-cut') cut = true;
        report(placed(issue, document === undefined ? undefined : origins.get(document)));
      },
      end(document, written) {
        origins.delete(document);
        if (!written) failed += 1;
        else {
          documents += 1;
          storylines += document.heads.length - document.rejected();
        }
      },
    });
    for await (const piece of pieces) {
      context.interrupt.check();
      await target.write(piece);
      await flushLosses();
    }
    if (documents > 0 && !cut) await target.commit();
  } finally {
    await target.abort();
  }
  return { documents, storylines, failed };
}

async function targetOf({ destination, options, context }: Writing): Promise<Target> {
  if (destination.kind === 'stdout') return stdoutTarget(context.stdout);
  return await fileTarget(destination.path, {
    overwrite: options.overwrite === true,
    shown: destination.path,
  });
}

// Documents numbered over all batches; a second one is refused before any text where one has to stand alone.
async function* standing(
  outgoing: AsyncIterable<Outgoing>,
  outer: Outer,
  format: Writing['format'],
  origins: Map<ExportDocument, Outgoing>,
): AsyncGenerator<ExportDocument> {
  let ordinal = 0;
  for await (const out of outgoing) {
    const { document } = out;
    const count = Math.max(document.count, ordinal + 1);
    if (count > 1 && standsAlone(outer, document.container)) refuseSeveral(count, format);
    const one = { ...document, ordinal, issues: document.issues };
    origins.set(one, out);
    ordinal += 1;
    yield one;
  }
}
