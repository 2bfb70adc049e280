// The part of the driver package's wire connection that statements speak to, and the contract of a statement the client carries.
// Stated here so that only connection.ts needs the package itself.

export interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly portal: string; readonly statement: string; readonly values: readonly WireValue[] }): void;
  describe(message: { readonly type: 'P' | 'S'; readonly name: string }): void;
  execute(message: { readonly portal: string; readonly rows: number }): void;
  close(message: { readonly type: 'P' | 'S'; readonly name: string }): void;
  flush(): void;
  sync(): void;
}

export type WireValue = string | Buffer | null;

export interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number }[];
}

export interface DataRow {
  readonly fields: (string | null)[];
}

/** What the client calls on the statement it is carrying; one of `handleError` and `handleReadyForQuery` ends it. */
export interface Exchange {
  submit(wire: Wire): void;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: { readonly text: string }, wire: Wire): void;
  handlePortalSuspended(wire: Wire): void;
  handleEmptyQuery(wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

export interface WireClient {
  readonly processID: number | null;
  readonly secretKey: number | null;
  connect(): Promise<unknown>;
  query(exchange: Exchange): unknown;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}
