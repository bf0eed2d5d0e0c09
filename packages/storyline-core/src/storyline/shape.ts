/** What one key of a Storyline object may hold; the JSON Schema says the same, and this table is generated from it. */
export interface Slot {
  readonly type: 'any' | 'string' | 'integer' | 'boolean' | 'time' | 'object' | 'array';
  readonly required?: true;
  /** JSON null is allowed: absence for an optional key, a value for a required one. */
  readonly nullable?: true;
  /** A text that may not be empty. */
  readonly filled?: true;
  /** An integer above zero. */
  readonly positive?: true;
  /** The shape of the object, of every element of the array or, with `map`, of every member. */
  readonly shape?: ShapeName;
  /** An object whose keys are data. */
  readonly map?: true;
}

/** The objects that Storyline owns (storyline-v1 §1). */
export type ShapeName =
  | 'storyline'
  | 'origin'
  | 'agent'
  | 'parent'
  | 'task'
  | 'llm'
  | 'result'
  | 'env'
  | 'prompt'
  | 'turnPrompt'
  | 'turn'
  | 'call'
  | 'response'
  | 'unknownFields'
  | 'residualSource';

/** The keys of one object; a closed object refuses all others. */
export interface Shape {
  readonly open?: true;
  readonly keys: { readonly [key: string]: Slot };
}
