// What was last pushed into a database, kept in it: the digest of each thing. A thing with another digest was changed there since.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { secrets } from '../../definitions/bookkeeping.js';

/** Digests by the ids of things. */
export type Digests = Readonly<Record<string, string>>;

/** The row beside those of the secrets. */
const pushedName = 'configuration';

interface Place {
  readonly dialect: Dialect;
  readonly system: SystemHome;
}

/** null: nothing was ever pushed. */
export async function readPushed({ dialect, system }: Place): Promise<Digests | null> {
  const [row] = await systemRows(dialect.syntax, secrets, system).read(dialect.driver, ['value'], { name: pushedName });
  return row === undefined ? null : readDigests(JSON.parse(row.value));
}

export async function keepPushed({ dialect, system }: Place, digests: Digests): Promise<void> {
  const rows = systemRows(dialect.syntax, secrets, system);
  await dialect.driver.transaction(async (connection) => {
    await rows.delete(connection, { name: pushedName });
    await rows.insert(connection, [{ name: pushedName, value: JSON.stringify(digests) }]);
  });
}

export const readDigests = (value: unknown): Digests =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([id, digest]) => [id, String(digest)])) : {};
