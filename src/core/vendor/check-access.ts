// The first statement on a new driver. It distinguishes a wrong configuration, which is final, from a server that cannot be reached at the
// moment.

import { DatabaseError } from './database-error.js';
import type { Driver } from './driver.js';

/**
 * Rejects if the database or the user does not exist: `explain` recognises these errors and returns a message for the operator, null for any
 * other error. Resolves if the server cannot be reached, because it may come back.
 */
export async function checkAccess(driver: Driver, explain: (error: DatabaseError) => string | null): Promise<void> {
  try {
    await driver.version();
  } catch (error) {
    const reason = error instanceof DatabaseError ? explain(error) : null;
    if (reason !== null) {
      await driver.close();
      throw new Error(reason, { cause: error });
    }
    if (!(error instanceof DatabaseError) || error.kind !== 'unavailable') throw error;
  }
}

/** Waits for a check of a new driver. Closes the driver if it fails. */
export async function closeOnFailure(driver: Driver, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    await driver.close();
    throw error;
  }
}
