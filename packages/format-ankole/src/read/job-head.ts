import {
  appendPointer,
  getOwn,
  type Json,
  type JsonObject,
  type Storyline,
  type Task,
} from '@pchronicle/storyline-core';
import { JOB_KEYS, SOURCE } from '../keys.ts';
import { filledText, objectIn, timeText } from '../members.ts';
import type { Part } from './parts.ts';

/** What of a job has slots of its own; the job itself stays whole in `meta.job`. */
export function jobHead(
  job: JsonObject,
): Pick<Storyline, 'agent' | 'task' | 'parent' | 'started_at' | 'finished_at'> {
  const started = timeText(getOwn(job, 'started_at'));
  const finished = timeText(getOwn(job, 'completed_at'));
  const owner = filledText(job, 'owner_session_id');
  const call = filledText(job, 'source_tool_call_id');
  const title = filledText(job, 'title');
  const answer = filledText(objectIn(job, 'result'), 'output_text');
  const error = filledText(objectIn(job, 'error'), 'summary') ?? filledText(objectIn(job, 'error'), 'code');
  const status = filledText(job, 'status');
  const result = {
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    ...(answer === undefined ? {} : { final_answer: answer }),
  };
  const task: Task = {
    ...(title === undefined ? {} : { env: { name: title } }),
    ...(Object.keys(result).length === 0 ? {} : { result }),
  };
  return {
    agent: { id: filledText(job, 'agent_uid') ?? SOURCE },
    ...(Object.keys(task).length === 0 ? {} : { task }),
    ...(owner === undefined
      ? {}
      : { parent: { psid: owner, rel: 'background_job', ...(call === undefined ? {} : { scid: call }) } }),
    ...(started === undefined ? {} : { started_at: started }),
    ...(finished === undefined ? {} : { finished_at: finished }),
  };
}

/** Keeps what nobody knows of a page and its job. */
export function keepJobMembers({ value, pointer }: Part, keep: (pointer: string, value: Json) => void): void {
  for (const key of Object.keys(value))
    if (key !== 'job') keep(appendPointer(pointer, key), value[key] as Json);
  const job = objectIn(value, 'job');
  const known: readonly string[] = [...JOB_KEYS, 'turns', 'turns_next_cursor'];
  for (const key of Object.keys(job))
    if (!known.includes(key)) keep(appendPointer(pointer, 'job', key), job[key] as Json);
}
