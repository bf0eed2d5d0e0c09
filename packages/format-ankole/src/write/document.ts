import {
  getOwn,
  isJsonArray,
  type Json,
  type JsonObject,
  type Report,
  type Storyline,
} from '@pchronicle/storyline-core';
import { formOf, layoutOf } from '../layout/layout.ts';
import { applyChanges } from '../layout/patch.ts';
import { rebuildDocument } from './rebuild.ts';

/** What a Storyline of this format came of, exactly: its document, or its rows one by one. */
export interface OwnDocument {
  readonly form: 'single' | 'array' | 'lines';
  readonly value: Json;
}

/** Writes a Storyline of this format in its source's own shape; `undefined` after an error. */
export function ownDocument(storyline: Storyline, report: Report): OwnDocument | undefined {
  let failed = false;
  const layout: JsonObject = layoutOf(storyline);
  const rebuilt = rebuildDocument(storyline, layout, (severity, ...rest) => {
    if (severity === 'error') failed = true;
    report(severity, ...rest);
  });
  if (failed) return undefined;
  const { value, ignored } = applyChanges(rebuilt, getOwn(layout, 'patch'));
  if (ignored > 0)
    report(
      'info',
      'ankole/edited',
      '/turns',
      `${ignored} notes on how the source was spelled no longer fit, because the Storyline was edited; they are left out`,
    );
  const form = formOf(layout);
  return { form: form !== 'single' && !isJsonArray(value) ? 'single' : form, value };
}
