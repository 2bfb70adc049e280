// `tain backup`, `tain restore` and `tain verify`: a database as one file, checked before it is used.

import type { BackupEnd, BackupHeader } from '../service/transfer/backup/backup-file.js';
import { BackupRefused } from '../service/transfer/backup/backup-file.js';
import { readBackup } from '../service/transfer/backup/read-backup.js';
import { backupDatabase, type Config, restoreDatabase } from '../tain.js';
import { version } from '../version.js';
import { CommandError, type CommandInput } from './command.js';
import { showProgress } from './show-progress.js';

export async function backup({ config, operands: [file], switches }: CommandInput): Promise<void> {
  if (file === undefined) throw new CommandError('which file? usage: tain backup FILE');
  requireOneDatabase(config);
  const shown = showProgress();
  const { header, end, missing } = await refusable(() => backupDatabase(config, file, switches.has('files'), shown.progress)).finally(
    shown.end,
  );
  console.log(`Written: ${file}, ${describe(header, end)}.`);
  printMissing('Not in the file', missing);
  if (header.secret !== null) console.log('The SECRET of the settings is not in the file: keep it as well.');
}

export async function restore({ config, operands: [file] }: CommandInput): Promise<void> {
  if (file === undefined) throw new CommandError('which file? usage: tain restore FILE');
  requireOneDatabase(config);
  const shown = showProgress();
  const { header, end, missing } = await refusable(() => restoreDatabase(config, file, shown.progress)).finally(shown.end);
  console.log(`Restored: ${describe(header, end)}.`);
  printMissing('Not carried over', missing);
  console.log('Everybody signs in again. Next: tain start');
}

export async function verify({ operands: [file] }: CommandInput): Promise<void> {
  if (file === undefined) throw new CommandError('which file? usage: tain verify FILE');
  const { header, end } = await refusable(() => readBackup(file, version, {}));
  console.log(`Whole: ${file}, ${describe(header, end)}.`);
}

function describe(header: BackupHeader, { tables, rows, files, bytes }: BackupEnd): string {
  const contents = header.withFiles ? `, ${files} contents of files (${bytes} bytes)` : ', without the contents of files';
  return `${tables} tables with ${rows} rows${contents}, of ${header.moment}, from ${header.product} ${header.productVersion} by Tain ${header.release}`;
}

function printMissing(title: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  console.log(`${title}:`);
  for (const line of missing) console.log(`! ${line}`);
}

function requireOneDatabase({ systemDatabaseUrl }: Config): void {
  if (systemDatabaseUrl !== null)
    throw new CommandError('SYSTEM_DATABASE_URL is set: a backup is of one database; leave it out and name that database as DATABASE_URL');
}

async function refusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupRefused) throw new CommandError(error.message);
    throw error;
  }
}
