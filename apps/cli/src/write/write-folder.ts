import { dirname, join } from 'node:path';
import { joinDocuments, type Outer } from '@pchronicle/storyline-core';
import { registry } from '../formats.ts';
import { uniqueNames } from '../io/file-name.ts';
import { fileTarget } from '../io/file-target.ts';
import { makeFolder } from '../io/make-folder.ts';
import { cannotWrite } from '../io/settle-output.ts';
import { outputName } from './output-name.ts';
import { placed } from './placed.ts';
import type { Outgoing, Reporting, Writing, Written } from './writing.ts';

/** Writes each document into a file of its own under the output folder; each appears whole or not at all. */
export async function writeFolder(
  outgoing: AsyncIterable<Outgoing>,
  outer: Outer,
  writing: Writing,
  reporting: Reporting,
): Promise<Written> {
  const { destination, format } = writing;
  if (destination.kind !== 'folder') throw new TypeError('writeFolder needs a folder');
  const unique = uniqueNames();
  const extensions = ['.json', '.jsonl', '.ndjson', ...registry.formats.flatMap((known) => known.extensions)];
  let documents = 0;
  let storylines = 0;
  let failed = 0;
  for await (const out of outgoing) {
    const { stem, extension } = outputName(out, outer, format, extensions);
    const path = join(destination.path, ...`${unique(stem)}${extension}`.split('/'));
    if (!(await writeOne(path, out, outer, writing, reporting))) failed += 1;
    else {
      documents += 1;
      storylines += out.document.heads.length - out.document.rejected();
    }
  }
  return { documents, storylines, failed };
}

async function writeOne(
  path: string,
  out: Outgoing,
  outer: Outer,
  { context, options }: Writing,
  { report, flushLosses }: Reporting,
): Promise<boolean> {
  const { document } = out;
  const targetOptions = { overwrite: options.overwrite === true, shown: path };
  await makeFolder(dirname(path)).catch((error: unknown) => {
    throw cannotWrite(targetOptions, error);
  });
  const target = await fileTarget(path, targetOptions);
  try {
    const single = { ...document, count: 1, ordinal: 0, issues: document.issues };
    const pieces = joinDocuments(outer, only(single), {
      indent: options.indent ?? 0,
      issue: (issue) => report(placed(issue, out)),
    });
    for await (const piece of pieces) {
      context.interrupt.check();
      await target.write(piece);
    }
    await flushLosses();
    if (document.failed()) return false;
    await target.commit();
    return true;
  } finally {
    await target.abort();
  }
}

async function* only<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}
