// Where a table lives: its SQL schema (null: the connection's default) and its name.

export interface TableName {
  readonly schema: string | null;
  readonly name: string;
}
