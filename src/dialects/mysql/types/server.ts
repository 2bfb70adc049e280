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

/**
 * SQL for a short name of the database, for the names of locks, which have at most 64 characters. MySQL 9.6 has removed MD5. On MariaDB it stays, since processes
 * of two revisions must take the same lock.
 */
export const databaseDigest = (server: Server): string => (server.mariadb ? 'MD5(DATABASE())' : 'LEFT(SHA2(DATABASE(), 256), 32)');

/** MySQL 8.2 has given the statement another name, and 8.4 has removed the old one. */
export const logStatus = (server: Server): string =>
  !server.mariadb && isAtLeast(server, 8, 2) ? 'SHOW BINARY LOG STATUS' : 'SHOW MASTER STATUS';
