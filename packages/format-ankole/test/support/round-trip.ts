import { exportValue, type Issue, type Json, type Storyline } from '@pchronicle/storyline-core';
import { ankole, importAnkole } from '../../src/index.ts';

/** Storylines of a document without errors. */
export function storylinesOf(document: Json): readonly Storyline[] {
  const { storylines, issues } = importAnkole(document);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return storylines;
}

/** Its only Storyline. */
export function storylineOf(document: Json): Storyline {
  const [storyline, ...others] = storylinesOf(document);
  if (storyline === undefined || others.length > 0) throw new Error('expected one Storyline');
  return storyline;
}

/** What is written for the Storylines of a document. */
export function writtenBack(document: Json): Json | undefined {
  return exportValue(ankole, storylinesOf(document)).value;
}

/** Codes of the issues of an import. */
export function codesOf(document: Json): readonly string[] {
  return importAnkole(document).issues.map(({ code }) => code);
}

/** The issue of a code. */
export function issueOf(document: Json, code: string): Issue | undefined {
  return importAnkole(document).issues.find((issue) => issue.code === code);
}
