import type { DrivenFormat } from '../format.ts';
import { hashJson } from '../hash.ts';
import { CARRY_SOURCE, hostDigest } from '../import/carry.ts';
import type { Report } from '../issue.ts';
import { appendPointer } from '../json/pointer.ts';
import { getOwn, type JsonObject, type MutableJsonObject, setOwn } from '../json/value.ts';
import { mergeEnvelope } from '../storyline/envelope.ts';
import { fragileNumbers } from '../storyline/fragile-numbers.ts';
import type { ResidualSources } from '../storyline/merge-unknown-fields.ts';
import { NUMBERS_SOURCE } from '../storyline/non-finite.ts';
import { validateStoryline } from '../storyline/validate.ts';
import { type Storyline, storylineToJson } from '../storyline.ts';
import { ownSources } from './foreign-sources.ts';
import { reread, throughText, type Written } from './reread.ts';
import { sameJson } from './same-json.ts';

/**
 * Finds out what an importer of the written document would give differently, and adds it to the blocks of the envelope (decision G14):
 * each root member that differs, whole (null where it is to be absent), under the source `storyline`, with the digest of what was written.
 * Numbers of such a member that the format would not read as they are stand, as text, under the source `storyline-numbers`.
 * `undefined` after an error: `core/not-rereadable`, the format does not read back what it wrote.
 */
export function carry(
  format: DrivenFormat,
  storyline: Storyline,
  written: Written,
  foreign: ResidualSources | undefined,
  report: Report,
): ResidualSources | undefined {
  // The hub's own format gives back whatever is valid: there is nothing to carry, and no place for it (it has no foreign sources).
  if (format.id === CARRY_SOURCE) return foreign ?? {};
  // A carried block that another implementation passed through cannot stand beside ours: it travels inside of /unknown_fields.
  const { [CARRY_SOURCE]: _members, [NUMBERS_SOURCE]: _numbers, ...others } = foreign ?? {};
  const read = reread(format, written);
  if (typeof read === 'string') {
    const message = `with --carry, ${format.id} must read back what it wrote, but ${read}`;
    report('error', 'core/not-rereadable', '', message);
    return undefined;
  }
  const readOthers = throughText(format, others as unknown as JsonObject) as unknown as ResidualSources;
  const merged = mergeEnvelope(read, readOthers, ownSources(format), report);
  const canonical = merged === undefined ? undefined : validateStoryline(merged, report);
  if (canonical === undefined) return undefined;
  const wanted = storylineToJson(storyline);
  const found = storylineToJson(canonical);
  const fields: MutableJsonObject = {};
  const numbers: MutableJsonObject = {};
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const member = getOwn(wanted, name);
    if (sameJson(member, getOwn(found, name))) continue;
    const pointer = appendPointer('', name);
    setOwn(fields, pointer, member ?? null);
    for (const [at, token] of fragileNumbers(member ?? null, format, pointer)) setOwn(numbers, at, token);
  }
  if (Object.keys(fields).length === 0) return others;
  const digest = hostDigest(
    written.root,
    written.values.map(({ value }) => hashJson(value)),
  );
  const blocks: MutableJsonObject = { ...(others as unknown as JsonObject) };
  blocks[CARRY_SOURCE] = { source_document_id: digest, fields };
  if (Object.keys(numbers).length > 0)
    blocks[NUMBERS_SOURCE] = { source_document_id: digest, fields: numbers };
  return blocks as unknown as ResidualSources;
}
