// Which server answers: MariaDB and MySQL share a protocol but differ in types, collations and settings.

export interface Server {
  readonly mariadb: boolean;
  readonly major: number;
  readonly minor: number;
}

/** What is assumed until the first connection has told better: the oldest server that is supported. */
export const oldestServer: Server = { mariadb: true, major: 10, minor: 6 };

/** From the version of the handshake: `10.11.6-MariaDB`, `5.5.5-10.6.4-MariaDB-log` (a prefix for old clients), `8.0.36`. */
export function parseServer(version: string): Server {
  const numbers = /^(\d+)\.(\d+)/.exec(version.replace(/^5\.5\.5-/, ''));
  return { mariadb: /mariadb/i.test(version), major: Number(numbers?.[1] ?? 0), minor: Number(numbers?.[2] ?? 0) };
}

export const isAtLeast = (server: Server, major: number, minor: number): boolean =>
  server.major > major || (server.major === major && server.minor >= minor);

/** A column type of its own for uuids; elsewhere they are char(36). */
export const hasUuidType = (server: Server): boolean => server.mariadb && isAtLeast(server, 10, 7);

/** Binary and without padding, so that equality and order are those of the other vendors. */
export const collationOf = (server: Server): string => (server.mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin');
