// `tain upgrade [database]`: runs the migrations of the system tables that a database lacks; with --check it says which, and writes nothing.

import { applyUpgrade, checkUpgrade, type UpgradeState } from '../tain.js';
import { version } from '../version.js';
import { CommandError, type CommandInput } from './command.js';

/** The exit code of `--check` where something is due; 0 is nothing, 1 what needs attention. */
const isDue = 2;

export async function upgrade({ config, operands: [database], switches }: CommandInput): Promise<void> {
  const chosen = database === undefined ? config : { ...config, databaseUrl: database };
  const isDry = switches.has('check');
  const state = await (isDry ? checkUpgrade : applyUpgrade)(chosen);
  const { kind, from, to, due } = state;
  if (kind === 'newer') throw new CommandError(explainNewer(state));
  if (kind === 'current') return console.log(`Nothing to do: the database is at migration ${to}, the newest of Tain ${version}.`);
  if (isDry) process.exitCode = isDue;
  if (kind === 'new') {
    const missing = 'Tain has never been started on this database: `tain start` makes its tables and the first administrator';
    if (!isDry) throw new CommandError(missing);
    return console.log(`${missing}. Nothing was changed.`);
  }
  const start = from === null ? 'from the beginning' : `from migration ${from}`;
  console.log(`${isDry ? 'Due' : 'Done'}: ${start} to ${to}, the newest of Tain ${version}.`);
  for (const migration of due) console.log(`  ${migration.version} ${migration.name}: ${migration.about}`);
  if (isDry) console.log('Nothing was changed. `tain upgrade`, or a start, runs them.');
}

const explainNewer = ({ from, to }: UpgradeState): string =>
  `the database is at migration ${from}, which this program does not know: the newest of Tain ${version} is ${to}. Use the Tain that migrated it, or a newer one`;
