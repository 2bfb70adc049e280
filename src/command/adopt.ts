// `tain adopt` and `tain release`: takes over a database of Directus in place, and gives it back.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutPassword } from '../config.js';
import { AdoptionRefused } from '../service/system/adopt/inspect.js';
import { adoptDatabase, type Config, releaseDatabase } from '../tain.js';
import { CommandError, type CommandInput } from './command.js';
import { readPeerVariables } from './peer/read-variables.js';
import { settingsFile, type TranslatedSettings, translateSettings } from './peer/translate-settings.js';

export async function adopt({ config, operands, switches, options }: CommandInput): Promise<void> {
  const isDry = switches.has('dry-run');
  const settings = readSettings(options.get('env'), isDry);
  const databaseUrl = operands[0] ?? settings?.translated.settings.get('DATABASE_URL');
  if (databaseUrl === undefined) throw new CommandError('which database? usage: tain adopt <database>, or --env with a file that names it');
  const given = (name: string): readonly string[] | undefined => settings?.translated.settings.get(name)?.split(',');
  const [storageNames, authProviders] = [given('STORAGE_NAMES') ?? config.storageNames, given('AUTH_PROVIDERS') ?? config.authProviders];
  const { findings, outcome } = await refusable(() => adoptDatabase({ ...config, databaseUrl, storageNames, authProviders }, isDry));
  for (const { kind, text } of findings) console.log(`${kind === 'warning' ? '!' : ' '} ${text}`);
  if (settings !== null) printSettings(settings, databaseUrl, isDry);
  if (outcome === 'would-adopt') return console.log('\nNothing was written. Without --dry-run the database would be adopted.');
  console.log(outcome === 'adopted' ? '\nAdopted.' : '\nThe database is adopted already.');
  console.log('Directus must not run on it at the same time: each server would keep what the other has changed in its caches.');
  const shown = withoutPassword(databaseUrl);
  const start = settings === null ? `tain start ${shown}` : `tain start --env-file ${settings.file}`;
  console.log(`Next: ${start}   and back: tain release ${shown}`);
}

interface Settings {
  readonly translated: TranslatedSettings;
  /** Where the settings of the service are written. */
  readonly file: string;
}

function readSettings(path: string | undefined, isDry: boolean): Settings | null {
  if (path === undefined) return null;
  const variables = readPeerVariables(path);
  const file = join(variables.folder, 'tain.env');
  if (!isDry && existsSync(file)) throw new CommandError(`${file} exists already: remove it, or start with it (--env-file)`);
  return { translated: translateSettings(variables), file };
}

/** The file holds passwords: only its owner may read it. */
function printSettings({ translated: { settings, unmatched }, file }: Settings, databaseUrl: string, isDry: boolean): void {
  const written = new Map([...settings, ['DATABASE_URL', databaseUrl]]);
  if (!isDry) writeFileSync(file, settingsFile(written), { mode: 0o600, flag: 'wx' });
  console.log(`\n  ${written.size} settings${isDry ? ' would be' : ''} written to ${file}: ${[...written.keys()].join(', ')}`);
  for (const line of unmatched) console.log(`! without a counterpart: ${line}`);
}

export async function release({ config, operands: [databaseUrl] }: CommandInput): Promise<void> {
  if (databaseUrl === undefined) throw new CommandError('which database? usage: tain release <database>');
  const chosen: Config = { ...config, databaseUrl };
  await refusable(() => releaseDatabase(chosen));
  console.log('Released: the tables are those of Directus alone again. Every user signs in once.');
}

async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AdoptionRefused) throw new CommandError(error.message);
    throw error;
  }
}
