import {
  type Json,
  type JsonObject,
  type MutableJsonObject,
  parsePointer,
  type Report,
  type Storyline,
} from '@pchronicle/storyline-core';
import { packRanges } from '../layout/ranges.ts';
import { isEmpty } from '../members.ts';
import { readChatml } from './chatml.ts';
import { COLUMN_STYLES } from './columns.ts';
import { readConversation } from './conversation.ts';
import { tellSeveral } from './frame.ts';
import { groupParts } from './group-parts.ts';
import { readItems } from './items.ts';
import { readJob } from './job.ts';
import type { AnkolePart, Form, Group, GroupContext } from './parts.ts';

/** Builds the Storylines of a document: one a conversation, job, turn of items, or ChatML document. */
export function* toStorylines(document: AnkolePart, report: Report): Generator<Storyline> {
  const groups = groupParts(document.parts, report);
  if (groups === undefined) return;
  // An empty page was taken to what names something, but is no part of a job or turn.
  if (groups.length > 1 && document.form === 'array' && !document.isTold) tellSeveral(groups.length, report);
  for (const group of groups) {
    const isLone = group.parts.length === 1 && (groups.length > 1 || document.isPicked);
    const form: Form = isLone ? 'single' : document.form;
    const values: readonly Json[] = group.parts.map(({ given }) => given);
    const context: GroupContext = {
      own: document.isReread === true ? undefined : form === 'single' ? (values[0] ?? null) : values,
      places: {
        ...(form === 'single' ? {} : { form }),
        ...columnsOf(group),
        ...(isLone ? { base: group.parts[0]?.pointer ?? '' } : placesOf(group, form)),
      },
      source: document.source,
      report,
    };
    const storyline = readGroup(group, context);
    if (storyline !== undefined) yield storyline;
  }
}

function readGroup(group: Group, context: GroupContext): Storyline | undefined {
  const [first] = group.parts;
  if (group.key.startsWith('j:')) return readJob(group, context);
  if (group.key.startsWith('t:')) return readItems(group, context);
  if (group.key.startsWith('m:') && first !== undefined) return readChatml(first, context);
  return readConversation(group, context);
}

/** How the columns of a group's rows are spelled, where all of them are spelled in one way. */
function columnsOf({ parts }: Group): { readonly columns?: JsonObject } {
  const columns: MutableJsonObject = {};
  for (const column of parts[0]?.styles.keys() ?? []) {
    const style = COLUMN_STYLES.find((each) =>
      parts.every(({ styles }) => styles.get(column)?.includes(each)),
    );
    if (style !== undefined) columns[column] = style;
  }
  return isEmpty(columns) ? {} : { columns };
}

/** Positions of a group's parts in an array or lines, where they do not simply count up. */
function placesOf(group: Group, form: Form): { readonly at?: string } {
  if (form === 'single') return {};
  const places = group.parts.map(({ pointer }) => Number(parsePointer(pointer)?.at(-1) ?? 0));
  return places.every((place, index) => place === index) ? {} : { at: packRanges(places) };
}
