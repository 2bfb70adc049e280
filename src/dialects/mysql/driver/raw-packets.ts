// Sends raw bytes over a connection of mysql2 and receives the raw packets of the answer, which the package does not offer. It depends on
// internals of the package; the tests of the binary log fail if an update removes them.

interface RawPacket {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
}

interface RawConnection {
  handlePacket(packet?: RawPacket): void;
  readonly stream: { write(bytes: Buffer): void };
}

const isRaw = (connection: object): connection is RawConnection => 'handlePacket' in connection && 'stream' in connection;

const packetHeader = 4;

/** The listener must not keep a packet, because its buffer is reused. Must not be called while a statement runs. */
export function exchangePackets(connection: object, request: Buffer, onPacket: (packet: Buffer) => void): void {
  if (!isRaw(connection)) throw new Error('the driver no longer hands out its packets');
  connection.handlePacket = (packet) => {
    if (packet !== undefined) onPacket(packet.buffer.subarray(packet.start + packetHeader, packet.end));
  };
  const header = Buffer.alloc(packetHeader);
  header.writeUIntLE(request.length, 0, 3);
  connection.stream.write(Buffer.concat([header, request]));
}
