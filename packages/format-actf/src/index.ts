export * from './document.ts';
export { actf } from './format.ts';
export { importActf } from './import-actf.ts';
