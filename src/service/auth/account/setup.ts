// The first start in a browser. The service prints a code; its holder chooses the address and the password of the first administrator,
// until that administrator has signed in once.

import { serviceCaller } from '../../../core/access/view.js';
import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { users } from '../../definitions/accounts.js';
import type { secrets } from '../../definitions/bookkeeping.js';
import { isSameSecret, randomToken } from '../../secrets/token.js';

export interface SetupTables {
  readonly secrets: SystemRows<RowOf<typeof secrets>>;
  readonly users: SystemRows<RowOf<typeof users>>;
}

interface Setup {
  readonly code: string;
  /** The administrator who was made at the first start. */
  readonly user: string;
}

const secretName = 'setup';
const codeLength = 32;

/** Opens the setup. The code is stored as it is, so that every start can print it, beside the secret that signs tokens. */
export const openSetup = (tables: Pick<SetupTables, 'secrets'>, connection: Connection, user: string): Promise<void> =>
  tables.secrets.insert(connection, [{ name: secretName, value: JSON.stringify({ code: randomToken(codeLength), user } satisfies Setup) }]);

/** The code to print; null when the setup is complete. */
export async function readSetupCode(tables: SetupTables, connection: Connection): Promise<string | null> {
  return (await findSetup(tables, connection))?.code ?? null;
}

async function findSetup({ secrets, users }: SetupTables, connection: Connection): Promise<Setup | null> {
  const [row] = await secrets.read(connection, ['value'], { name: secretName });
  if (row === undefined) return null;
  const setup = JSON.parse(row.value) as Setup;
  const [account] = await users.read(connection, ['last_access'], { id: setup.user, status: 'active' });
  return account?.last_access === null ? setup : null;
}

export interface SetupInput {
  readonly code: string;
  readonly email: string;
  readonly password: string;
  readonly project_name: string | null;
}

export async function completeSetup(
  tables: SetupTables,
  writer: Pick<Writer, 'update' | 'updateSingleton'>,
  work: TransactionWork,
  { code, email, password, project_name }: SetupInput,
): Promise<void> {
  const setup = await findSetup(tables, work.connection);
  if (setup === null || !isSameSecret(setup.code, code)) throw setupRefused();
  // If two people have the code, only the first completes the setup.
  if ((await tables.secrets.delete(work.connection, { name: secretName })) !== 1) throw setupRefused();
  const inside = { ...work, caller: serviceCaller(work.caller.view.schema) };
  await writer.update(inside, 'service_users', [setup.user], { email, password });
  if (project_name !== null) await writer.updateSingleton(inside, 'service_settings', { project_name });
}

const setupRefused = () => serviceError('FORBIDDEN', 'The setup is complete, or its code is wrong.');
