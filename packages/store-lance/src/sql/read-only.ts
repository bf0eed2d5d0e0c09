/** How a statement begins that does something. */
export const WRITING =
  /^(?:\s|--.*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:insert|update|delete|merge|truncate|create|drop|alter|copy|attach|detach|install|load|set|reset|pragma|call|export|import|vacuum|begin|commit|rollback|checkpoint|comment)\b/i;

/** Says what may be asked. */
export function onlyReads(not: string): string {
  return `only statements that read are allowed (SELECT, EXPLAIN, DESCRIBE, SUMMARIZE, SHOW), not ${not}`;
}
