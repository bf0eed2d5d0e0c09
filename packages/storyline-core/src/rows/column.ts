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
}

/** Columns as they are defined, in order: name → type, with `?` behind it where a cell may be empty. */
export interface ColumnsOf {
  readonly [name: string]: ColumnType | `${ColumnType}?`;
}

/** Columns as a list. */
export function columnsOf(columns: ColumnsOf): readonly Column[] {
  return Object.entries(columns).map(([name, type]) => ({
    name,
    type: type.replace('?', '') as ColumnType,
    nullable: type.endsWith('?'),
  }));
}

/** The cell type of a column type. */
export interface CellTypes {
  readonly utf8: string;
  readonly int64: bigint;
  readonly float64: number;
  readonly bool: boolean;
  readonly timestamp_ns: bigint;
}

/** The row that columns make: every column present, null where it is empty. */
export type RowOf<Columns extends ColumnsOf> = {
  readonly [Name in keyof Columns]: Columns[Name] extends `${infer Type extends ColumnType}?`
    ? CellTypes[Type] | null
    : Columns[Name] extends ColumnType
      ? CellTypes[Columns[Name]]
      : never;
};
