// Guards against truncated answers. A list longer than group_concat_max_len or max_allowed_packet is cut, with only a warning, and what remains
// is often valid JSON. The driver package drops the number of warnings, so `watchWarnings` reads it from the packets that end a result; it
// depends on internals of the package, and driver.test.ts fails if an update removes them.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Session } from './session.js';

const cutWarnings = [1260, 1301];

/** Rejects if the last statement of the session was cut. Call it when that statement has warnings. */
export async function refuseCutAnswer(session: Session): Promise<void> {
  const { rows } = await session.send({ kind: 'read', text: 'SHOW WARNINGS', values: [] }, 0);
  const cut = rows.find((row) => cutWarnings.includes(Number(row[1])));
  if (cut !== undefined) throw new DatabaseError('too-large', String(cut[2]));
}

interface Packet {
  isEOF(): boolean;
  eofWarningCount(): number;
}

interface PacketReader {
  handlePacket(packet?: Packet): void;
}

const readsPackets = (connection: object): connection is PacketReader =>
  'handlePacket' in connection && typeof connection.handlePacket === 'function';

/** Returns a function that tells the number of warnings of the last result on this connection. */
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
