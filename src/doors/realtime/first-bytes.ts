// Bounds what a client may send before it has authenticated, which is kept in memory until a message is complete. A token fits into it.

import type { Duplex } from 'node:stream';

const most = 16_384;

/** Calls `onMore` as soon as more has arrived. Returns how to lift the bound. */
export function boundFirstBytes(stream: Duplex, onMore: () => void): () => void {
  let received = 0;
  const count = (data: Buffer): void => {
    received += data.length;
    if (received <= most) return;
    lift();
    onMore();
  };
  const lift = (): void => {
    stream.off('data', count);
  };
  stream.on('data', count);
  return lift;
}
