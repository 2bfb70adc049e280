// Stores a backup in an empty database. The whole file is checked before anything is written. Where the vendor can, everything is one
// transaction; elsewhere a mark stays until the end, and the same restore run again begins anew.

import type { RawDatabase } from '../../../core/schema/raw.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { findStorage, type Storages } from '../../files/storage/storage.js';
import { migrations } from '../../system/migrations.js';
import { leaveRestoreMark, readRestoreMark, removeRestoreMark, restoreMark } from '../../system/unfinished-restore.js';
import { advanceCounters } from './advance-counters.js';
import { type BackupEnd, type BackupHeader, BackupRefused, type KeptStructure } from './backup-file.js';
import { type PlaceTable, placeTables, planStructure } from './plan-structure.js';
import type { WriteProgress } from './progress.js';
import { readBackup } from './read-backup.js';
import { restoreContents } from './restore-contents.js';
import { openRowWriter, type RowWriter } from './restore-rows.js';
import { isSame, markOfSecret } from './take-backup.js';

export interface RestoreOptions {
  readonly dialect: Dialect;
  readonly systemSchema: string | null;
  readonly storages: Storages;
  readonly secret: string | null;
  readonly release: string;
  readonly onProgress: WriteProgress;
}

export interface RestoreReport {
  readonly header: BackupHeader;
  readonly end: BackupEnd;
  /** What the database does not have of the file, and what is to be done, in words. */
  readonly missing: readonly string[];
}

interface Checked {
  readonly header: BackupHeader;
  readonly end: BackupEnd;
  readonly structure: KeptStructure;
}

export async function restoreBackup(path: string, options: RestoreOptions): Promise<RestoreReport> {
  const checked = await checkFile(path, options);
  const { dialect, secret } = options;
  const isExact = checked.header.product === dialect.transfer.product();
  const targetSchema = isExact ? checked.header.systemSchema : options.systemSchema;
  const place = isExact ? (table: TableName) => table : placeTables(checked.header, dialect.ddl.hasSchemas, targetSchema);
  const planned = isExact ? null : planStructure(checked.header, checked.structure.tables, dialect, place);
  await dialect.exclusively(async (connection) => {
    await makeRoom(connection, checked, place, dialect);
    await new Restoring(path, connection, checked, place, planned, options).run();
  });
  const marks = checked.header.secret;
  const words = marks !== null && (secret === null || markOfSecret(secret) !== marks) ? [otherSecret] : [];
  return { header: checked.header, end: checked.end, missing: [...(planned?.missing ?? checked.structure.native.missing), ...words] };
}

const otherSecret =
  'the SECRET of the settings, which is not in the file: start the service with the SECRET of the other database, or set what it has sealed (secrets of sign-on providers) again';

/** Reads the file to its end, and refuses what the database or the settings cannot take. */
async function checkFile(path: string, { release, storages, onProgress }: RestoreOptions): Promise<Checked> {
  let structure: KeptStructure | null = null;
  const wanted = new Set<string>();
  const { header, end } = await readBackup(path, release, {
    structure: async (read) => {
      structure = read;
    },
    begin: async (part) => {
      if (part.kind === 'file') wanted.add(part.storage);
      onProgress({ part: 'checking', at: 0, parts: 1, count: 0, of: null });
    },
  });
  const known = new Set(migrations.map(({ version }) => version));
  const newer = header.migrations.find((version) => /^\d+$/.test(version) && !known.has(version));
  if (newer !== undefined)
    throw new BackupRefused(
      `${path} comes from Tain ${header.release}, whose tables are newer than those of Tain ${release}: use that release or a newer one`,
    );
  const lost = [...wanted].find((name) => findStorage(storages, name) === null);
  if (lost !== undefined)
    throw new BackupRefused(
      `${path} has contents of the storage "${lost}", which is not configured here: set it up as it was (STORAGE_URL, STORAGE_NAMES)`,
    );
  if (structure === null) throw new BackupRefused(`${path} has no structure`);
  return { header, end, structure };
}

/** Throws unless the database is empty, or has what the same restore left behind, which is removed. */
async function makeRoom(connection: Connection, { end, structure }: Checked, place: PlaceTable, dialect: Dialect): Promise<void> {
  const { tables } = await dialect.introspect(connection);
  const mark = dialect.ddl.transactional ? null : await readRestoreMark(dialect, connection);
  const present = tables.filter((table) => !isSame(table, restoreMark) || mark === null);
  const ours = structure.tables.map(place);
  const foreign = present.find((table) => mark === null || !ours.some((own) => isSame(own, table)));
  if (foreign !== undefined)
    throw new BackupRefused(
      `the database is not empty (it has "${collectionName(foreign)}"): a backup is restored into an empty one; make a new database, or remove everything from this one yourself`,
    );
  if (mark !== null && mark !== '' && mark !== end.digest)
    throw new BackupRefused('the restore of another file into this database was interrupted: run that one again, or empty the database');
  await runAll(connection, dialect.transfer.loading.before);
  for (const table of present) await connection.run({ kind: 'ddl', text: dialect.transfer.drop(table), values: [] });
  if (mark !== null) await removeRestoreMark(dialect, connection);
  if (!dialect.ddl.transactional) await leaveRestoreMark(dialect, connection, end.digest);
}

async function runAll(connection: Connection, texts: readonly string[]): Promise<void> {
  for (const text of texts) await connection.run({ kind: 'ddl', text, values: [] });
}

class Restoring {
  readonly #path: string;
  readonly #connection: Connection;
  readonly #checked: Checked;
  readonly #place: PlaceTable;
  readonly #planned: { readonly before: readonly StructureChange[]; readonly after: readonly StructureChange[] } | null;
  readonly #options: RestoreOptions;

  constructor(
    path: string,
    connection: Connection,
    checked: Checked,
    place: PlaceTable,
    planned: ReturnType<typeof planStructure> | null,
    options: RestoreOptions,
  ) {
    this.#path = path;
    this.#connection = connection;
    this.#checked = checked;
    this.#place = place;
    this.#planned = planned;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { dialect } = this.#options;
    const connection = this.#connection;
    const { before, after } = this.#checked.structure.native;
    await (this.#planned === null ? runAll(connection, before) : this.#change(this.#planned.before, { tables: [] }));
    const made = await dialect.introspect(connection);
    await this.#store(made);
    if (this.#planned === null) await this.#finish(after);
    else {
      await this.#change(this.#planned.after, made);
      await advanceCounters(dialect, connection, made);
    }
    await runAll(connection, dialect.transfer.loading.after);
    if (!dialect.ddl.transactional) await removeRestoreMark(dialect, connection);
  }

  async #change(changes: readonly StructureChange[], before: RawDatabase): Promise<void> {
    const { ddl } = this.#options.dialect;
    for (const change of changes)
      await runAll(
        this.#connection,
        ddl.steps(change, before).map(({ text }) => text),
      );
  }

  async #store(made: RawDatabase): Promise<void> {
    const { dialect, release, onProgress, storages } = this.#options;
    const contents = restoreContents(storages);
    let rows: RowWriter | null = null;
    let name = '';
    let [at, count] = [0, 0];
    await readBackup(this.#path, release, {
      begin: async (part) => {
        if (part.kind === 'file') return contents.begin(part);
        const table = findTable(made, this.#place(part.table));
        if (table === undefined) throw new BackupRefused(`the table "${collectionName(part.table)}" of the file was not made`);
        name = collectionName(table);
        [at, count] = [at + 1, 0];
        const exact = this.#planned === null;
        rows = openRowWriter({ dialect, connection: this.#connection }, table, part.columns, exact);
      },
      rows: async (batch) => {
        await this.#explain(name, () => rows?.write(batch) ?? Promise.resolve());
        count += batch.length;
        onProgress({ part: name, at, parts: this.#checked.header.tables, count, of: null });
      },
      bytes: (chunk) => contents.bytes(chunk),
      end: async (part) => {
        if (part.kind === 'file') return contents.end();
        await this.#explain(name, () => rows?.end() ?? Promise.resolve());
      },
    });
  }

  async #explain(table: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      throw new BackupRefused(`the rows of "${table}" cannot be stored here: ${error.message.split('\n', 1)[0]}`);
    }
  }

  /** Views may refer to views: where a failed statement does no harm, it is tried again after the others. */
  async #finish(texts: readonly string[]): Promise<void> {
    let open = texts;
    for (;;) {
      const failed: string[] = [];
      let failure: unknown = null;
      for (const text of open) {
        try {
          await this.#connection.run({ kind: 'ddl', text, values: [] });
        } catch (error) {
          if (this.#options.dialect.ddl.transactional) throw error;
          failed.push(text);
          failure = error;
        }
      }
      if (failed.length === 0) return;
      if (failed.length === open.length) throw failure;
      open = failed;
    }
  }
}
