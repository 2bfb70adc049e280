// Runs a change of accounts or sessions in a transaction and repeats it when it conflicts with another one. Resolves after this process
// has noticed the change, so that the next request of the same client sees it.

import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import { mayRetry } from '../../core/vendor/database-error.js';
import type { Connection, Driver } from '../../core/vendor/driver.js';

const maxAttempts = 5;

export async function changeAccounts<T>(
  { driver, store }: { readonly driver: Driver; readonly store: SchemaStore },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const result = await repeatOnConflict(() => driver.transaction(work));
  await store.check();
  return result;
}

async function repeatOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === maxAttempts || !mayRetry(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * count));
    }
  }
}
