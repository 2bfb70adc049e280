// A worker's reply as what the driver promised, or as the error it reports.

import type { Row } from '../../core/vendor/driver.js';
import { toDatabaseError } from './errors.js';
import { type Reply, say } from './worker-messages.js';

export function replyToRows(reply: Reply): readonly Row[] {
  switch (reply[0]) {
    case say.rows:
    case say.last:
      return reply[2];
    case say.cells:
      return reply[2].map((cell) => [cell]);
    case say.error:
      throw toDatabaseError(reply[2], reply[3]);
    default:
      return [];
  }
}

export function replyToCount(reply: Reply): number {
  if (reply[0] === say.error) throw toDatabaseError(reply[2], reply[3]);
  return reply[0] === say.count ? reply[2] : 0;
}
