// The driver drops the warning count of a result, yet a list cut by group_concat is told by a warning only. This reads the count from
// the packets that end a result. It leans on the driver's internals; `driver.test.ts` notices when an update takes them away.

interface Packet {
  isEOF(): boolean;
  eofWarningCount(): number;
}

interface PacketReader {
  handlePacket(packet?: Packet): void;
}

const readsPackets = (connection: object): connection is PacketReader =>
  'handlePacket' in connection && typeof connection.handlePacket === 'function';

/** The number of warnings of the result that ended last on this connection. */
export function watchWarnings(connection: object): () => number {
  if (!readsPackets(connection)) throw new Error('the driver no longer hands out its packets');
  const handle = connection.handlePacket;
  let warnings = 0;
  connection.handlePacket = function (packet) {
    if (packet?.isEOF() === true) warnings = packet.eofWarningCount();
    handle.call(this, packet);
  };
  return () => warnings;
}
