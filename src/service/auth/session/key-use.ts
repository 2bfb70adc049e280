// When access keys were last used. Each process writes it for a key once a minute at most, beside the request and not in it: one statement at a
// time, so that many keys at once take one connection.

import { Lru } from '../../../core/util/lru.js';
import type { AuthContext, KeyUse } from '../auth-context.js';
import { toTime } from './sessions.js';

const everyMs = 60_000;
const maxKeys = 10_000;
/** Keys in one statement. */
const portion = 200;

export function openKeyUse({ driver, tables }: Pick<AuthContext, 'driver' | 'tables'>, report: (error: unknown) => void): KeyUse {
  const notedAt = new Lru<string, number>(maxKeys);
  const waiting = new Set<string>();
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, portion);
      for (const id of ids) waiting.delete(id);
      await tables.accessKeys.update(driver, { last_used: toTime(Date.now()) }, { id: ids }).catch(report);
    }
    writing = null;
  };

  return {
    note(id) {
      const now = Date.now();
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      notedAt.set(id, now);
      waiting.add(id);
      writing ??= write();
    },
    async close() {
      await writing;
    },
  };
}
