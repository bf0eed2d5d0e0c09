import { getOwn, type Json } from '@pchronicle/storyline-core';
import { packRanges } from '../layout/ranges.ts';
import type { Part } from './parts.ts';

/** How the parts are made of rows again. */
export function recipeOf(
  parts: readonly Part[],
  positions: ReadonlyMap<Part, readonly number[]>,
  count: number,
): readonly Json[] {
  const recipe: Json[] = [];
  let run: number[] = [];
  const flush = (): void => {
    if (run.length > 0) recipe.push(['rows', packRanges(run)]);
    run = [];
  };
  for (const part of parts) {
    const rows = positions.get(part) ?? [];
    if (part.shape === 'row') {
      run.push(...rows);
      continue;
    }
    flush();
    if (part.shape === 'conversation') recipe.push('conversation');
    else if (part.shape === 'artifact') recipe.push('artifact');
    else if (part.shape === 'response') recipe.push(['response', packRanges(rows)]);
    else {
      const cursor = getOwn(part.value, 'next_cursor') ?? null;
      const isAll = rows.length === count && rows.every((row, index) => row === index);
      if (isAll && cursor === null) recipe.push('page');
      else recipe.push(['page', packRanges(rows), ...(cursor === null ? [] : [cursor])]);
    }
  }
  flush();
  return recipe;
}
