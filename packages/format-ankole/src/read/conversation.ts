import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  type Report,
  residuals,
  STORYLINE_VERSION,
  type Storyline,
} from '@pchronicle/storyline-core';
import { SOURCE } from '../keys.ts';
import { filledText, isEmpty, objectIn } from '../members.ts';
import { startTally } from '../tally.ts';
import { rowTime } from '../times.ts';
import { artifactsIn, noteLoneArtifacts } from './artifacts.ts';
import { reportChainFaults } from './chain-faults.ts';
import { reportPages } from './cursors.ts';
import { finishStoryline } from './finish.ts';
import { gatherRounds } from './gather-rounds.ts';
import type { Group, GroupContext, Part } from './parts.ts';
import { promoteModel } from './promote-model.ts';
import { conversationOf, type Round } from './round.ts';
import { readRound } from './round-turns.ts';
import { recipeOf } from './row-recipe.ts';
import { finishTurns } from './turn-list.ts';

/** Builds the Storyline of one conversation (decisions K1, K2); `undefined` after an error. */
export function readConversation(
  group: Group,
  { own, places, source, report }: GroupContext,
): Storyline | undefined {
  let failed = false;
  const watch: Report = (severity, ...rest) => {
    if (severity === 'error') failed = true;
    report(severity, ...rest);
  };
  const found = startTally();
  const documentId = source === '' ? group.key.slice(2) : source;
  const residual = residuals(SOURCE, documentId);
  const { rounds, positions } = gatherRounds(group.parts, watch, found);
  if (failed) return undefined;
  const byCheckpoint = artifactsIn(group.parts);
  const rows = rounds.map((round) => readRound(round, rounds[0], residual.add, found, byCheckpoint));
  const drafts = rows.flatMap((row) => row.drafts);
  const turns = finishTurns(drafts, residual, found, rows);
  promoteModel(turns);
  const conversation = conversationIn(group.parts);
  const artifacts = group.parts.filter(({ shape }) => shape === 'artifact').map(({ value }) => value);
  const lone = artifacts.length === 0 ? undefined : group.key.slice(2);
  const session = sessionOf(rounds, conversation) ?? lone ?? `conversation-of-${documentId || 'nobody'}`;
  const agent = subjectOf(rounds[0]) ?? filledText(conversation ?? {}, 'subject_uid') ?? SOURCE;
  const [first] = rounds;
  const started = first === undefined ? undefined : rowTime(getOwn(first.value, 'inserted_at'))?.text;
  reportPages(group.parts, positions, found);
  reportChainFaults(rounds, found);
  if (rounds.length === 0)
    found.add(
      'info',
      'ankole/no-messages',
      group.parts[0]?.pointer ?? '',
      'there is no message in it; the Storyline has no turns',
    );
  for (const part of group.parts) {
    if (part.shape !== 'page') continue;
    for (const key of Object.keys(part.value))
      if (key !== 'messages' && key !== 'next_cursor')
        residual.add(appendPointer(part.pointer, key), part.value[key] as Json);
  }
  noteLoneArtifacts(group.parts, rounds, found.add);
  found.tell(watch);
  const meta = {
    ...(conversation === undefined ? {} : { conversation }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
  };
  const storyline: Storyline = {
    schema_version: STORYLINE_VERSION,
    session,
    agent: { id: agent },
    origin: { format: SOURCE, ...(documentId === '' ? {} : { document_id: documentId }) },
    ...(started === undefined ? {} : { started_at: started }),
    ...(isEmpty(meta) ? {} : { meta }),
    turns,
  };
  const layout = { ...places, parts: recipeOf(group.parts, positions, rounds.length) };
  return finishStoryline(storyline, residual, { own, layout, documentId });
}

function conversationIn(parts: readonly Part[]): JsonObject | undefined {
  const part = parts.find(({ shape }) => shape === 'conversation');
  return part === undefined ? undefined : objectIn(part.value, 'conversation');
}

function sessionOf(rounds: readonly Round[], conversation: JsonObject | undefined): string | undefined {
  const named = rounds.map(conversationOf).find((name) => name !== undefined);
  return named ?? filledText(conversation ?? {}, 'id') ?? rounds[0]?.id;
}

function subjectOf(first: Round | undefined): string | undefined {
  return first?.shape === 'row' ? filledText(first.value, 'subject_uid') : undefined;
}
