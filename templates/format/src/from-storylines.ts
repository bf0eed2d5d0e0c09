import {
  fieldsOf,
  type MutableJsonObject,
  type Report,
  reportLosses,
  restoreResiduals,
  type Storyline,
} from '@pchronicle/storyline-core';

/** The Storyline parts that an Example document has a place for; all others are losses. */
export const expresses = [
  '/session',
  '/agent/id',
  '/turns/*/id',
  '/turns/*/src',
  '/turns/*/msg',
  '/turns/*/ts',
] as const;

/** Writes one Storyline as an Example document; `undefined` after an error. */
export function fromStoryline(storyline: Storyline, report: Report): MutableJsonObject | undefined {
  reportLosses(expresses, withoutOwnOrigin(storyline), report);
  const document: MutableJsonObject = {
    conversation: storyline.session,
    agent: storyline.agent.id,
    messages: storyline.turns.map(({ id, src, msg, ts }) => ({
      id,
      from: src,
      text: msg,
      ...(ts === undefined ? {} : { at: ts }),
    })),
  };
  let failed = false;
  const watch: Report = (severity, ...rest) => {
    failed ||= severity === 'error';
    report(severity, ...rest);
  };
  restoreResiduals(document, fieldsOf(storyline, 'example') ?? {}, {}, watch);
  return failed ? undefined : document;
}

/** The origin that reading gives every document is no loss. */
function withoutOwnOrigin(storyline: Storyline): Storyline {
  const { origin, ...rest } = storyline;
  return origin?.format === 'example' && Object.keys(origin).length === 1 ? rest : storyline;
}
