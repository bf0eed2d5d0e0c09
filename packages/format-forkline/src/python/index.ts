export { compareCodePoints, sortedKeys } from './compare-code-points.ts';
export { type PythonDumpOptions, pythonJson, pythonJsonPieces, pythonString } from './dump.ts';
export { pythonEqual } from './equal.ts';
export { floatText, isFloat, isNonFinite, numberText } from './number.ts';
export {
  type PythonJsonFault,
  type PythonParsed,
  type PythonParseOptions,
  parsePythonJson,
} from './parse.ts';
export { pythonRepr } from './repr.ts';
