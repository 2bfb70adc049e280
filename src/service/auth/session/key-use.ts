// When access keys were last used. Each process writes it for a key once a minute at most, beside the request and not in it.

import { Lru } from '../../../core/util/lru.js';
import type { AuthContext, KeyUse } from '../auth-context.js';
import { toTime } from './sessions.js';

const everyMs = 60_000;
const maxKeys = 10_000;

export function openKeyUse({ driver, tables }: Pick<AuthContext, 'driver' | 'tables'>, report: (error: unknown) => void): KeyUse {
  const notedAt = new Lru<string, number>(maxKeys);
  const writing = new Set<Promise<void>>();
  return {
    note(id) {
      const now = Date.now();
      if (now - (notedAt.get(id) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
      notedAt.set(id, now);
      const write = tables.accessKeys
        .update(driver, { last_used: toTime(now) }, { id })
        .then(() => undefined, report)
        .finally(() => writing.delete(write));
      writing.add(write);
    },
    async close() {
      await Promise.all(writing);
    },
  };
}
