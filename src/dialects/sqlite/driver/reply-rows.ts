// Converts the reply of a worker to rows or a count, or throws the error it reports.

import type { Row } from '../../../core/vendor/driver.js';
import { toDatabaseError } from './errors.js';
import { type Reply, replyKind } from './worker/messages.js';

export function replyToRows(reply: Reply): readonly Row[] {
  switch (reply[0]) {
    case replyKind.rows:
    case replyKind.last:
      return reply[2];
    case replyKind.cells:
      return reply[2].map((cell) => [cell]);
    case replyKind.error:
      throw toDatabaseError(reply[2], reply[3]);
    default:
      return [];
  }
}

export function replyToCount(reply: Reply): number {
  if (reply[0] === replyKind.error) throw toDatabaseError(reply[2], reply[3]);
  return reply[0] === replyKind.count ? reply[2] : 0;
}
