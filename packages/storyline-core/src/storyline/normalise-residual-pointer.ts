/** Where arrays lie in the documents of the known sources: `:` is any key, `#` an array position. */
const ARRAYS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    actf: [
      'attempts/:/trajectory/steps/#',
      'attempts/:/trajectory/steps/#/tools/#',
      'attempts/:/trajectory/steps/#/observation/#',
      'attempts/:/trajectory/steps/#/assistant_content/tool_calls/#',
    ],
    'openai-msg': [
      'session_steps/#',
      'session_steps/#/messages/#',
      'session_steps/#/messages/#/tool_calls/#',
      'session_steps/#/response/tool_calls/#',
    ],
    atif: ['steps/#', 'steps/#/tool_calls/#'],
    agenticmd: ['blocks/#'],
  }).map(([source, patterns]) => [source, patterns.map((pattern) => pattern.split('/'))]),
);

/**
 * A residual pointer as it is counted (storyline-v1 §8): array positions of the known sources become `*`,
 * everything else, numeric object keys included, stays as it is.
 */
export function normaliseResidualPointer(source: string, pointer: string): string {
  const patterns = ARRAYS.get(source);
  if (patterns === undefined || pointer === '') return pointer;
  const tokens = pointer.slice(1).split('/');
  const isPosition = source === 'agenticmd' ? isCanonicalPosition : isDecimal;
  let base = 0;
  while (source === 'atif' && tokens[base] === 'subagent_trajectories' && isPosition(tokens[base + 1])) {
    tokens[base + 1] = '*';
    base += 2;
  }
  const positions: number[] = [];
  for (const pattern of patterns) {
    if (matches(pattern, tokens, base, isPosition)) positions.push(base + pattern.length - 1);
  }
  for (const position of positions) tokens[position] = '*';
  return `/${tokens.join('/')}`;
}

// Pattern keys hold nothing that RFC 6901 escapes, so tokens can be compared as they are spelled.
function matches(
  pattern: readonly string[],
  tokens: readonly string[],
  base: number,
  isPosition: (token: string | undefined) => boolean,
): boolean {
  if (tokens.length - base < pattern.length) return false;
  return pattern.every((part, index) => {
    const token = tokens[base + index];
    return part === ':' || (part === '#' ? isPosition(token) : part === token);
  });
}

function isDecimal(token: string | undefined): boolean {
  return token !== undefined && /^\d+$/.test(token);
}

function isCanonicalPosition(token: string | undefined): boolean {
  return token !== undefined && /^(0|[1-9]\d*)$/.test(token);
}
