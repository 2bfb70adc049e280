// The write-ahead log as a source of changes, by logical decoding. A function of the server reads a temporary slot, which retains no log
// once its connection is closed. A publication names the tables. It contains only tables with a key: in a publication, updates and deletes
// of a table without one would fail for every program. One process per database reads the log.

import type { TableName } from '../../../core/schema/table-name.js';
import type { ChangeLog, LoggedChange, LoggedTable, LogRefusal, OpenLog } from '../../../core/vendor/change-log.js';
import { quoteTable } from '../types/quote.js';
import { type WalMessage, WalReader } from './pgoutput.js';
import type { OwnClient } from './wire.js';

const publication = 'tain_changes';
/** The key of the advisory lock of the process that reads the log; arbitrary, but equal in every instance of the service. */
const readerLock = 1_415_670_127;
/** If one read returns more changes than this, everything counts as changed. */
const maxChanges = 20_000;
/** Only this many bytes of each change are fetched; a key behind a larger value is unknown. */
const maxBytes = 8_192;
/** How often to check whether a transaction is visible: it is written to the log shortly before readers can see it. */
const visibleEveryMs = 5;
const visibleTimeoutMs = 30_000;

export const walLog = (connect: () => Promise<OwnClient>): ChangeLog => ({
  source: 'the write-ahead log',
  reportsCascades: true,
  async open(tables) {
    const client = await connect();
    try {
      const opened = await openLog(client, tables);
      if ('reason' in opened) await client.end();
      return opened;
    } catch (error) {
      await client.end();
      throw error;
    }
  },
});

const one = async (client: OwnClient, text: string, values: unknown[] = []): Promise<Readonly<Record<string, unknown>>> =>
  (await client.query(text, values)).rows[0] ?? {};

async function openLog(client: OwnClient, tables: readonly LoggedTable[]): Promise<OpenLog | LogRefusal> {
  const facts = await one(
    client,
    `SELECT current_setting('wal_level') AS level, pg_is_in_recovery() AS standby, quote_ident(current_user) AS role,
      (SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user) AS allowed`,
  );
  if (facts['standby'] === true) return { reason: 'the server is a standby', cure: [] };
  if (facts['level'] !== 'logical')
    return { reason: `wal_level is ${String(facts['level'])}`, cure: ['ALTER SYSTEM SET wal_level = logical; -- then restart the server'] };
  if (facts['allowed'] !== true)
    return { reason: 'the role may not replicate', cure: [`ALTER ROLE ${String(facts['role'])} REPLICATION;`] };
  const lock = await one(client, 'SELECT pg_try_advisory_lock($1) AS taken', [readerLock]);
  if (lock['taken'] !== true) return { reason: 'another process of the service reads it', cure: [] };
  const refusal = await publish(client, tables);
  if (refusal !== null) return refusal;
  const slot = `tain_${(await one(client, 'SELECT pg_backend_pid() AS pid'))['pid'] as number}`;
  await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput', true)", [slot]);
  const published = await client.query(
    'SELECT nullif(schemaname, current_schema()) AS schema, tablename AS name FROM pg_publication_tables WHERE pubname = $1',
    [publication],
  );
  const home = String((await one(client, 'SELECT current_schema() AS home'))['home']);
  const found = published.rows.map(({ schema, name }) => ({ schema: schema as string | null, name: String(name) }));
  return new WalLog(client, slot, home, found, tables);
}

/** Makes the publication contain the tables that have a key. Where that is not allowed, the publication of an administrator is used as it is. */
async function publish(client: OwnClient, tables: readonly LoggedTable[]): Promise<LogRefusal | null> {
  const { rows } = await client.query(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition
      AND (c.relreplident IN ('f', 'i') OR c.relreplident = 'd' AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary))
      AND EXISTS (SELECT FROM jsonb_to_recordset($1::jsonb) AS t (schema text, name text)
        WHERE t.name = c.relname AND coalesce(t.schema, current_schema()) = n.nspname)
    ORDER BY 1, 2`,
    [JSON.stringify(tables.map(({ schema, name }) => ({ schema, name })))],
  );
  const names = rows.map(({ schema, name }) => quoteTable({ schema: String(schema), name: String(name) })).join(', ');
  if (names === '') return { reason: 'no table has a key', cure: [] };
  const exists = (await client.query('SELECT FROM pg_publication WHERE pubname = $1', [publication])).rows.length > 0;
  const create = `CREATE PUBLICATION ${publication} FOR TABLE ${names} WITH (publish_via_partition_root = true)`;
  try {
    await client.query(exists ? `ALTER PUBLICATION ${publication} SET TABLE ${names}` : create);
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (!exists) return { reason: 'the role may not create a publication', cure: [`${create};`] };
  }
  return null;
}

const isDenied = (error: unknown): boolean => typeof error === 'object' && error !== null && 'code' in error && error.code === '42501';

class WalLog implements OpenLog {
  readonly tables: readonly TableName[];
  readonly #client: OwnClient;
  readonly #slot: string;
  /** The default schema; its tables are reported without a schema. */
  readonly #home: string;
  readonly #keys: ReadonlyMap<string, readonly string[]>;

  constructor(client: OwnClient, slot: string, home: string, published: readonly TableName[], tables: readonly LoggedTable[]) {
    this.#client = client;
    this.#slot = slot;
    this.#home = home;
    this.#keys = new Map(tables.map(({ schema, name, primaryKey }) => [JSON.stringify([schema, name]), primaryKey]));
    this.tables = published.filter(({ schema, name }) => this.#keys.has(JSON.stringify([schema, name])));
  }

  async read(): Promise<readonly LoggedChange[]> {
    const { rows } = await this.#client.query(
      `SELECT xid::text AS xid, data, total FROM (
        SELECT xid, substring(data FROM 1 FOR ${maxBytes}) AS data, row_number() OVER () AS number, count(*) OVER () AS total
        FROM pg_logical_slot_get_binary_changes($1, NULL, ${maxChanges}, 'proto_version', '1', 'publication_names', '${publication}')
      ) AS changes WHERE number <= ${maxChanges} ORDER BY number`,
      [this.#slot],
    );
    if (rows.length === 0) return [];
    await this.#untilVisible(new Set(rows.map(({ xid }) => Number(xid))));
    if (Number(rows[0]?.['total']) > maxChanges) return [{ kind: 'unknown', table: null }];
    const reader = new WalReader();
    return rows.flatMap(({ data }) => this.#changesOf(reader.read(data as Buffer)));
  }

  async close(): Promise<void> {
    try {
      await this.#client.query('SELECT pg_drop_replication_slot($1)', [this.#slot]);
      await this.#client.query(`DROP PUBLICATION IF EXISTS ${publication}`);
    } catch {
      // Ignored: the slot is dropped with the connection, and a publication that belongs to an administrator stays.
    } finally {
      await this.#client.end().catch(() => undefined);
    }
  }

  async #untilVisible(xids: ReadonlySet<number>): Promise<void> {
    for (const until = Date.now() + visibleTimeoutMs; Date.now() < until; ) {
      const snapshot = String((await one(this.#client, 'SELECT pg_current_snapshot()::text AS snapshot'))['snapshot']);
      if ([...xids].every((xid) => isVisible(xid, snapshot))) return;
      await new Promise((resolve) => setTimeout(resolve, visibleEveryMs));
    }
    throw new Error('a committed transaction does not become visible');
  }

  #changesOf(message: WalMessage | null): readonly LoggedChange[] {
    if (message === null) return [];
    if (message.kind === 'truncate') return message.tables.map((table) => ({ kind: 'unknown', table: this.#named(table) }));
    const table = this.#named(message.table);
    const columns = this.#keys.get(JSON.stringify([table.schema, table.name])) ?? [];
    if (message.kind === 'cut' || columns.length === 0) return [{ kind: 'unknown', table }];
    const rows = message.kind === 'update' && message.old !== null ? [message.old, message.row] : [message.row];
    const keys = rows.map((row) => keyOf(columns.map((column) => row.get(column))));
    if (keys.includes(null)) return [{ kind: 'unknown', table }];
    const action = message.kind === 'insert' ? 'create' : message.kind;
    const moved = keys.length > 1;
    return keys.flatMap((key) => (key === null ? [] : [{ kind: 'row' as const, table, action, key, moved }]));
  }

  #named({ schema, name }: TableName): TableName {
    return { schema: schema === this.#home ? null : schema, name };
  }
}

const integers: ReadonlySet<number> = new Set([20, 21, 23]);
/** uuid, text, varchar: their text in the log is the form that the service answers. */
const texts: ReadonlySet<number> = new Set([2950, 25, 1043]);

/** null if the log may store the key in another form than the service answers it. */
function keyOf(
  parts: readonly ({ readonly text: string | null; readonly type: number } | undefined)[],
): string | number | (string | number)[] | null {
  const values = parts.map((part) => {
    if (part?.text === null || part === undefined) return null;
    if (texts.has(part.type)) return part.text;
    const number = Number(part.text);
    return integers.has(part.type) ? (Number.isSafeInteger(number) ? number : part.text) : null;
  });
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return null;
  const [only] = known;
  return known.length === 1 && only !== undefined ? only : known;
}

/** `snapshot`: `xmin:xmax:xip,…` with 64-bit transaction ids, of which the log has the lower 32 bits. */
function isVisible(xid: number, snapshot: string): boolean {
  const [, xmax = '0', running = ''] = snapshot.split(':');
  const below = BigInt.asUintN(32, BigInt(xmax) - BigInt(xid));
  const hasStarted = below > 0n && below < 2n ** 31n;
  return hasStarted && !running.split(',').some((other) => other !== '' && BigInt.asUintN(32, BigInt(other)) === BigInt(xid));
}
