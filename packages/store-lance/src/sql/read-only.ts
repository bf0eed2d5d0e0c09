/** White space and comments. */
const GAP = String.raw`(?:\s|--.*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;

/** How a statement begins that does something. */
export const WRITING = new RegExp(
  `^${GAP}(?:insert|update|delete|merge|truncate|create|drop|alter|copy|attach|detach|install|load|set|reset|pragma|call|export|import|vacuum|begin|commit|rollback|checkpoint|comment)\\b`,
  'i',
);

/** How a statement begins that explains another. */
const EXPLAINING = new RegExp(
  `^${GAP}explain\\b${GAP}(?:(?:analyze|verbose)\\b${GAP}|\\([^()]*\\)${GAP})*`,
  'i',
);

/** The statement that an EXPLAIN is about. */
export function explained(sql: string): string {
  return sql.replace(EXPLAINING, '');
}

/** Says what may be asked. */
export function onlyReads(not: string): string {
  return `only statements that read are allowed (SELECT, EXPLAIN, DESCRIBE, SUMMARIZE, SHOW), not ${not}`;
}
