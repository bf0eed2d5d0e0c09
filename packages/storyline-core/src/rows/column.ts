/** The three tables of a store (store.md, "Columns"). */
export type TableName = 'runs' | 'steps' | 'tool_calls';

/** The type of a column: UTF-8 text, 64-bit integer, double, boolean, or nanoseconds since the epoch in UTC. */
export type ColumnType = 'utf8' | 'int64' | 'float64' | 'bool' | 'timestamp_ns';

/** What a cell holds: text, an integer or nanoseconds (bigint), a double, a boolean, or nothing. */
export type Cell = string | bigint | number | boolean | null;

/** One column. `*_json` columns hold exact JSON text. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** One sentence for people who query the table. */
  readonly doc: string;
}

/** A column whose name, type and nullability are known to the compiler: what {@link RowOf} makes a row from. */
export interface NamedColumn<Name extends string, Type extends ColumnType, Nullable extends boolean>
  extends Column {
  readonly name: Name;
  readonly type: Type;
  readonly nullable: Nullable;
}

/** The cell type of a column type. */
export interface CellTypes {
  readonly utf8: string;
  readonly int64: bigint;
  readonly float64: number;
  readonly bool: boolean;
  readonly timestamp_ns: bigint;
}

/** The row that a list of columns makes: every column present, null where it is empty. */
export type RowOf<Columns extends readonly Column[]> = {
  readonly [C in Columns[number] as C['name']]: C['nullable'] extends true
    ? CellTypes[C['type']] | null
    : CellTypes[C['type']];
};
