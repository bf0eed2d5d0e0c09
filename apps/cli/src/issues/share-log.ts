import type { Issue, SourceDocument } from '@pchronicle/storyline-core';
import type { IssueLog } from './log.ts';

/** The issues of an import of one share: each process reads all of the input, and tells of what it imports. */
export interface ShareLog {
  /** Takes an issue of a document; it is told once the document is known to be of this share. */
  add(issue: Issue, document: SourceDocument): void;
  /** Tells, or forgets, what was said of a document. */
  settle(document: SourceDocument, own: boolean): void;
  /** Whether the document that was settled last is of this share. */
  own(): boolean;
}

/** Makes one that tells `log`. */
export function createShareLog(log: IssueLog): ShareLog {
  const held = new Map<SourceDocument, Issue[]>();
  let last = true;
  return {
    add(issue, document) {
      const issues = held.get(document);
      if (issues === undefined) held.set(document, [issue]);
      else issues.push(issue);
    },
    settle(document, own) {
      last = own;
      if (own) for (const issue of held.get(document) ?? []) log.add(issue);
      held.delete(document);
    },
    own: () => last,
  };
}
