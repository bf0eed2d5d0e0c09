/** Options of every command that reads inputs. */
export interface ReadOptions {
  readonly format?: string;
  readonly from?: string;
  readonly base?: string;
  readonly allowNan?: boolean;
  readonly compat?: boolean;
}
