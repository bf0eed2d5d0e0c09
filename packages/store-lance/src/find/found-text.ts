import { integerOf, optionalText, textOf } from '../cells.ts';
import type { Row } from '../columns/column.ts';
import type { TableName } from '../layout.ts';
import { scoreOf } from './match-order.ts';
import type { FoundText } from './options.ts';
import { joinWords } from './search-text.ts';
import { snippetOf } from './snippet.ts';

const KINDS = { runs: 'story', steps: 'turn', tool_calls: 'call' } as const;

/** A row that was found, as it is shown. */
export function foundText(name: TableName, row: Row, words: readonly string[]): FoundText {
  const run = optionalText(row, 'run_id');
  return {
    kind: KINDS[name],
    documentKey: textOf(row, 'document_key'),
    documentId: textOf(row, 'document_id'),
    session: textOf(row, 'session_id'),
    ...(run === undefined ? {} : { run }),
    ...(name === 'runs'
      ? {}
      : { turnId: integerOf(row, 'step_id'), turn: Number(integerOf(row, 'turn_ordinal')) }),
    ...(name === 'steps' ? { source: textOf(row, 'source') } : {}),
    ...(name === 'tool_calls'
      ? { tool: textOf(row, 'function_name'), callId: textOf(row, 'tool_call_id') }
      : {}),
    score: scoreOf(row),
    snippet: snippetOf(joinWords(textOf(row, 'search_text')), words),
  };
}
