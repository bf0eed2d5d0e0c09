/** Ids and other names of the formats this command knows: what `--help`, completion and suggestions need without loading any format. A test compares it with the formats themselves. */
export const FORMAT_NAMES: readonly { readonly id: string; readonly aliases: readonly string[] }[] = [
  { id: 'storyline', aliases: [] },
  { id: 'actf', aliases: [] },
  { id: 'openai-msg', aliases: ['openai-messages'] },
  { id: 'forkline', aliases: [] },
  { id: 'ankole', aliases: [] },
];

/** Every name a format may be called by. */
export const ALL_FORMAT_NAMES: readonly string[] = FORMAT_NAMES.flatMap(({ id, aliases }) => [
  id,
  ...aliases,
]);
