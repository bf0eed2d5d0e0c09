// Generated documents are the same in every run, so that a red gate is red again; PCHRONICLE_SEED asks for others.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PCHRONICLE_SEED) });
