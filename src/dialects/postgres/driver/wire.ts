// The parts of the package `pg` that exchanges use: its wire connection, and the methods that its client calls on a custom query. Declared here so
// that only connection.ts imports the package, whose own types omit them.

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
  /** Bytes on the wire. */
  readonly length: number;
  readonly fields: (string | null)[];
}

/** A custom query: the client calls these methods. Either `handleError` or `handleReadyForQuery` is the last call. */
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

/** A client beside the pool. */
export interface OwnClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  end(): Promise<void>;
}
