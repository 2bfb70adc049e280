// Guards against truncated answers. A list longer than group_concat_max_len or max_allowed_packet is cut, with only a warning, and what remains
// is often valid JSON. `watchWarnings` (packets.ts) counts the warnings of a result.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Session } from './session.js';

const cutWarnings = [1260, 1301];

/** Rejects if the last statement of the session was cut. Call it when that statement has warnings. */
export async function refuseCutAnswer(session: Session): Promise<void> {
  const { rows } = await session.send({ kind: 'read', text: 'SHOW WARNINGS', values: [] }, 0);
  const cut = rows.find((row) => cutWarnings.includes(Number(row[1])));
  if (cut !== undefined) throw new DatabaseError('too-large', String(cut[2]));
}
