import type { ExportDocument } from '@pchronicle/storyline-core';
import { createSpoolFile } from '../io/spool-file.ts';

const READ = 64 * 1024;

/** The same document, its text written to a spool first and handed on only when it is complete and good: a document that fails leaves nothing, however long it is. */
export function wholeText(document: ExportDocument, check: () => void): ExportDocument {
  return {
    ...document,
    get issues() {
      return document.issues;
    },
    failed: () => document.failed(),
    async *text() {
      const spool = createSpoolFile(4 * 1024 * 1024);
      try {
        for await (const piece of document.text()) {
          check();
          spool.append(Buffer.from(piece, 'utf8'));
        }
        if (document.failed()) return;
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        for (let at = 0; at < spool.size; at += READ) {
          yield decoder.decode(spool.read(at, Math.min(spool.size, at + READ)), { stream: true });
        }
        yield decoder.decode();
      } finally {
        spool.close();
      }
    },
  };
}
