/** `src` of a turn for the role of a message. */
export const SRC_OF_ROLE: ReadonlyMap<string, string> = new Map([
  ['user', 'user'],
  ['assistant', 'agent'],
  ['developer', 'developer'],
  ['system', 'system'],
]);
