// The first connection: a database or a user the server does not know never will be known, so it is final; a server that is away may
// come back and is no error here.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Driver } from '../../core/vendor/driver.js';

const unknownDatabase = '3D000';
const refusedUser: ReadonlySet<string> = new Set(['28000', '28P01']);

export async function checkAccess(driver: Driver): Promise<void> {
  try {
    await driver.version();
  } catch (error) {
    const code = sqlStateOf(error);
    if (code === unknownDatabase || refusedUser.has(code)) {
      await driver.close();
      throw new Error(explain(code, error), { cause: error });
    }
    if (!(error instanceof DatabaseError) || error.kind !== 'unavailable') throw error;
  }
}

function explain(code: string, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return code === unknownDatabase ? `The server has no such database (${said}): create it first` : `The server refused the user: ${said}`;
}

function sqlStateOf(error: unknown): string {
  const cause = error instanceof DatabaseError ? error.cause : null;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}
