// Writes one moment of a database into a file: structure, all rows but those of sessions and the like, and on request the contents of files.

import { createHmac } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { RawTable } from '../../../core/schema/raw.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { type SnapshotReading, storedColumns } from '../../../core/vendor/transfer.js';
import { migrations, secrets } from '../../definitions/bookkeeping.js';
import { files } from '../../definitions/files.js';
import { unfinished } from '../../definitions/structure.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import { findStorage, type Storages } from '../../files/storage/storage.js';
import { copyMark } from '../../system/prove-copy.js';
import { type BackupEnd, type BackupHeader, BackupRefused, formatVersion, keepTable } from './backup-file.js';
import type { WriteProgress } from './progress.js';
import { BackupWriter } from './write-backup.js';

export interface BackupOptions {
  readonly dialect: Dialect;
  readonly system: SystemHome;
  /** null: without the contents of files. */
  readonly storages: Storages | null;
  /** The configured SECRET. */
  readonly secret: string | null;
  readonly release: string;
  readonly onProgress: WriteProgress;
}

export interface BackupReport {
  readonly header: BackupHeader;
  readonly end: BackupEnd;
  /** What the file does not hold, in words. */
  readonly missing: readonly string[];
}

export async function takeBackup(path: string, options: BackupOptions): Promise<BackupReport> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupRefused(`${path} exists already: name another file, or remove it first`);
  const writer = await BackupWriter.create(path).catch((error: unknown) => {
    throw new BackupRefused(`${path}.part cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    return await options.dialect.transfer.snapshot((reading) => writeAll(reading, writer, options));
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function writeAll(reading: SnapshotReading, writer: BackupWriter, options: BackupOptions): Promise<BackupReport> {
  const { dialect } = options;
  const token = await dialect.changeToken(reading);
  const moment = new Date().toISOString();
  const { tables } = await dialect.introspect(reading);
  const header = await makeHeader(reading, moment, tables, options);
  const native = await dialect.transfer.readNative(reading, tables);
  await writer.header(header);
  await writer.structure({ tables: tables.map(keepTable), native });
  const contents = await writeTables(reading, writer, tables, options);
  if ((await dialect.changeToken(dialect.driver)) !== token)
    throw new BackupRefused('the structure of the database was changed while the backup was made: make it again');
  const lost = await writeContents(reading, writer, contents, options);
  return { header, end: await writer.finish(), missing: [...native.missing, ...lost] };
}

async function makeHeader(
  reading: SnapshotReading,
  moment: string,
  tables: readonly RawTable[],
  { dialect, system, secret, release, storages }: BackupOptions,
): Promise<BackupHeader> {
  const log = system.find(migrations).table;
  if (!tables.some((table) => isSame(table, log)))
    throw new BackupRefused('the database has no tables of the service: start the service on it once, then make the backup');
  const seen = await systemRows(dialect.syntax, migrations, system).read(reading, ['version']);
  return {
    format: formatVersion,
    moment,
    release,
    product: dialect.transfer.product(),
    productVersion: await dialect.driver.version(),
    wire: system.wire,
    systemSchema: system.schema,
    migrations: seen.map(({ version }) => version).toSorted(),
    secret: secret === null ? null : markOfSecret(secret),
    tables: tables.filter(({ kind }) => kind === 'table').length,
    withFiles: storages !== null,
  };
}

/** Tells whether two secrets are the same, and nothing else about them. */
export const markOfSecret = (secret: string): string => createHmac('sha256', secret).update('backup').digest('hex').slice(0, 16);

export const isSame = (one: TableName, other: TableName): boolean => one.schema === other.schema && one.name === other.name;

/** Where the rows of a table need care. */
interface Care {
  readonly isLeftOut: (table: TableName) => boolean;
  readonly secrets: TableName;
  readonly unfinished: TableName;
  readonly files: TableName;
}

function careOf(system: SystemHome): Care {
  const moments = systemDefinitions.filter(({ kept }) => kept === 'moment').map((definition) => system.find(definition).table);
  return {
    isLeftOut: (table) => moments.some((moment) => isSame(moment, table)),
    secrets: system.find(secrets).table,
    unfinished: system.find(unfinished).table,
    files: system.find(files).table,
  };
}

/** Resolves to the table of files and the columns that lead to a content; null: no contents are wanted. */
async function writeTables(
  reading: SnapshotReading,
  writer: BackupWriter,
  tables: readonly RawTable[],
  { dialect, system, storages, onProgress }: BackupOptions,
): Promise<RawTable | null> {
  const care = careOf(system);
  const stored = tables.filter(({ kind }) => kind === 'table');
  for (const [index, table] of stored.entries()) {
    const columns = storedColumns(table);
    if (columns.length === 0) continue;
    await writer.begin({ kind: 'table', table: { schema: table.schema, name: table.name }, columns: columns.map(({ name }) => name) });
    const progress = { part: collectionName(table), at: index, parts: stored.length, of: table.estimatedRows };
    let count = 0;
    if (!care.isLeftOut(table)) {
      const reader = dialect.transfer.reader(table, columns);
      const nameAt = isSame(table, care.secrets) ? columns.findIndex(({ name }) => name === 'name') : -1;
      for await (const batch of reading.stream({ kind: 'read', text: reader.text, values: [] })) {
        for (const row of batch) {
          const kept = reader.keep(row);
          // A restored database is no copy that may answer reads in place of this one.
          if (nameAt === -1 || kept[nameAt] !== copyMark) await writer.row(kept);
        }
        count += batch.length;
        onProgress({ ...progress, count });
      }
      if (count > 0 && isSame(table, care.unfinished))
        throw new BackupRefused(
          'a change of structure was interrupted: start the service once, which undoes or finishes it, then make the backup',
        );
    }
    await writer.end('table');
  }
  return storages === null ? null : (stored.find((table) => isSame(table, care.files)) ?? null);
}

/** The contents that the rows of the same moment name. Resolves to those that no storage has, in words. */
async function writeContents(
  reading: SnapshotReading,
  writer: BackupWriter,
  table: RawTable | null,
  { dialect, storages, onProgress }: BackupOptions,
): Promise<readonly string[]> {
  if (table === null || storages === null) return [];
  const missing: string[] = [];
  const columns = ['storage', 'filename_disk'].flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
  const reader = dialect.transfer.reader(table, columns);
  let count = 0;
  for await (const batch of reading.stream({ kind: 'read', text: reader.text, values: [] })) {
    for (const row of batch) {
      const [storage, name] = reader.keep(row).map((cell) => (typeof cell === 'string' ? cell : ''));
      if (storage === undefined || name === undefined || name === '') continue;
      const content = (await findStorage(storages, storage)?.read(name)) ?? null;
      if (content === null) missing.push(`the content of the file ${name}: the storage "${storage}" does not have it`);
      else await writeContent(writer, storage, name, content);
      count += 1;
      onProgress({ part: 'files', at: 0, parts: 1, count, of: null });
    }
  }
  return missing;
}

async function writeContent(writer: BackupWriter, storage: string, name: string, content: Readable): Promise<void> {
  await writer.begin({ kind: 'file', storage, name });
  for await (const chunk of content) await writer.bytes(chunk as Buffer);
  await writer.end('file');
}
