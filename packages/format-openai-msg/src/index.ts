export { exportOpenaiMessages } from './export-openai-messages.ts';
export { importOpenaiMessages } from './import-openai-messages.ts';
export { normaliseOpenaiMessages } from './normalise.ts';
export { openaiMessages } from './openai-messages.ts';
