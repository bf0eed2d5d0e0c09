export { openFile } from './source/file.ts';
export { spool } from './source/spool.ts';
