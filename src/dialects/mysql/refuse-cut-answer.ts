// A list longer than group_concat_max_len or max_allowed_packet is cut with only a warning, and the rest is often valid JSON. Such an
// answer must never leave this folder.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Session } from './session.js';

const cutWarnings = [1260, 1301];

/** Looks at the warnings of the session's last statement. */
export async function refuseCutAnswer(session: Session): Promise<void> {
  const { rows } = await session.send({ text: 'SHOW WARNINGS', values: [] }, 0);
  const cut = rows.find((row) => cutWarnings.includes(Number(row[1])));
  if (cut !== undefined) throw new DatabaseError('too-large', String(cut[2]));
}
