/** Somewhere to write text that appears whole or not at all. */
export interface Target {
  write(text: string | Uint8Array): Promise<void>;
  /** All is written: make it appear. */
  commit(): Promise<void>;
  /** Something went wrong: leave nothing. Safe to call after `commit`. */
  abort(): Promise<void>;
}
