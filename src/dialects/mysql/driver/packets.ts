// What mysql2 does not offer: the number of warnings of a result, raw bytes sent and received, and the end of a socket. All depend on internals of
// the package; driver.test.ts and the tests of the binary log fail if an update removes them.

interface Packet {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  isEOF(): boolean;
  eofWarningCount(): number;
}

interface PacketConnection {
  handlePacket(packet?: Packet): void;
  readonly stream: { write(bytes: Buffer): void; destroy(): void };
}

const hasPackets = (connection: object): connection is PacketConnection =>
  'handlePacket' in connection && typeof connection.handlePacket === 'function' && 'stream' in connection;

/** Returns a function that returns the number of warnings of the last result on this connection. */
export function watchWarnings(connection: object): () => number {
  if (!hasPackets(connection)) throw new Error('the driver no longer hands out its packets');
  const handle = connection.handlePacket;
  let warnings = 0;
  connection.handlePacket = function (packet) {
    if (packet?.isEOF() === true) warnings = packet.eofWarningCount();
    handle.call(this, packet);
  };
  return () => warnings;
}

const packetHeader = 4;

/** The listener must not keep a packet, because its buffer is reused. Must not be called while a statement runs. */
export function exchangePackets(connection: object, request: Buffer, onPacket: (packet: Buffer) => void): void {
  if (!hasPackets(connection)) throw new Error('the driver no longer hands out its packets');
  connection.handlePacket = (packet) => {
    if (packet !== undefined) onPacket(packet.buffer.subarray(packet.start + packetHeader, packet.end));
  };
  const header = Buffer.alloc(packetHeader);
  header.writeUIntLE(request.length, 0, 3);
  connection.stream.write(Buffer.concat([header, request]));
}

/**
 * Closes the socket. `destroy` of mysql2 only ends our side of it: a server in the middle of an answer that nobody reads any more would go on
 * writing for minutes, and keep the locks of its statement.
 */
export function cutConnection(connection: { destroy(): void }): void {
  connection.destroy();
  if (!hasPackets(connection)) throw new Error('the driver no longer hands out its socket');
  connection.stream.destroy();
}
