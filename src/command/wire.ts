// `tain wire tain|directus`: switches the names and forms that a database is answered in, while no service runs on it.

import { SwitchRefused } from '../service/system/wire/switch-wire.js';
import { switchDatabase } from '../tain.js';
import { CommandError, type CommandInput } from './command.js';

export async function wire({ config, operands: [wanted, database] }: CommandInput): Promise<void> {
  if (wanted !== 'tain' && wanted !== 'directus') throw new CommandError('which wire? usage: tain wire tain|directus [database]');
  const chosen = database === undefined ? config : { ...config, databaseUrl: database };
  try {
    const switched = await switchDatabase(chosen, wanted);
    console.log(switched ? `The database is answered on the wire "${wanted}" now.` : `The database is on the wire "${wanted}" already.`);
  } catch (error) {
    if (error instanceof SwitchRefused) throw new CommandError(error.message);
    throw error;
  }
}
