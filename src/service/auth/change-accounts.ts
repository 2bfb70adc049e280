// One change of accounts or sessions: a transaction that is tried again when others were in its way, and is noticed by this process
// before anybody is answered.

import type { SchemaStore } from '../../core/engine/schema-store.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection, Driver } from '../../core/vendor/driver.js';

const tries = 5;

export async function changeAccounts<T>(
  { driver, store }: { readonly driver: Driver; readonly store: SchemaStore },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      const result = await driver.transaction(work);
      await store.look();
      return result;
    } catch (error) {
      if (count === tries || !(error instanceof DatabaseError) || error.kind !== 'retry') throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * count));
    }
  }
}
