import {
  type ImportEvent,
  type ImportOptions,
  importStorylines,
  type Place,
} from '@pchronicle/storyline-core';
import type { ReadOptions } from '../commands/read-options.ts';
import type { Context } from '../context.ts';
import { systemCode } from '../failure.ts';
import { unreadable } from '../io/found-file.ts';
import type { ReadableInput } from './each-input.ts';

/** What a command asks of the reading driver. */
export interface EventOptions extends Pick<ReadOptions, 'allowNan'> {
  readonly salvage?: boolean;
  /** Called with the bytes of this input read so far. */
  onBytes?(bytes: number): void;
}

/** The driver's events for one input: interruptible between events, issues under the path that the user knows. I/O errors become a failure that names the input. */
export async function* importEvents(
  input: ReadableInput,
  options: EventOptions,
  context: Context,
): AsyncGenerator<ImportEvent> {
  const { signal } = context.interrupt;
  const importOptions: ImportOptions = {
    signal,
    nonFinite: options.allowNan === true ? 'null' : 'error',
    salvage: options.salvage === true,
  };
  const shown = new Map(input.parts?.map((part) => [part.name, part.shown]));
  const shownOf = (name: string): string => shown.get(name) ?? input.input.shown;
  try {
    for await (const event of importStorylines(input.source, input.format, importOptions)) {
      context.interrupt.check();
      if (event.type === 'progress') options.onBytes?.(event.bytes);
      if (event.type === 'storyline') yield { ...event, at: shownPlace(event.at, shownOf) };
      else if (event.type === 'issue')
        yield { ...event, issue: { ...event.issue, at: shownPlace(event.issue.at, shownOf) } };
      else yield event;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw systemCode(error) === undefined ? error : unreadable(input.input.shown, error);
  }
  context.interrupt.check();
}

// Documents carry names relative to the base; a person looks for the path that was typed.
function shownPlace(at: Place, shownOf: (name: string) => string): Place {
  const shown = at.source === undefined ? '-' : shownOf(at.source);
  return shown === '-' ? at : { ...at, source: shown };
}
