// The server of a connection. MariaDB and MySQL share a protocol but differ in types, collations, settings and SQL. The version is known only
// after the first connection, so the ports of this dialect take a function that returns it.

export interface Server {
  readonly mariadb: boolean;
  readonly major: number;
  readonly minor: number;
}

/** The oldest supported server; assumed until the first connection is made. */
export const oldestServer: Server = { mariadb: true, major: 10, minor: 6 };

/** Parses the version in the handshake: `10.11.6-MariaDB`, `5.5.5-10.6.4-MariaDB-log` (with a prefix for old clients), `8.0.36`. */
export function parseServer(version: string): Server {
  const numbers = /^(\d+)\.(\d+)/.exec(version.replace(/^5\.5\.5-/, ''));
  return { mariadb: /mariadb/i.test(version), major: Number(numbers?.[1] ?? 0), minor: Number(numbers?.[2] ?? 0) };
}

export const isAtLeast = (server: Server, major: number, minor: number): boolean =>
  server.major > major || (server.major === major && server.minor >= minor);

/** Whether the server has a uuid type; others use char(36). */
export const hasUuidType = (server: Server): boolean => server.mariadb && isAtLeast(server, 10, 7);

/** A binary collation without padding, so that equality and order are the same as on the other vendors. */
export const collationOf = (server: Server): string => (server.mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin');
