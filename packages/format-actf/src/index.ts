export * from './document.ts';
export { exportActf } from './export-actf.ts';
export { actf } from './format.ts';
export { importActf } from './import-actf.ts';
export { normaliseActf } from './normalise.ts';
