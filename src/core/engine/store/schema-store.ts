// Holds the current schema. A new one is built beside the old and swapped in; a request keeps the one it began with. Two checks find changes
// made elsewhere: the epochs tell what other processes of the service changed, a token of the catalogue what others changed in the database.
// The second costs more and runs less often.

import { buildSchema } from '../../schema/build/build-schema.js';
import { isSameStructure, type RawDatabase } from '../../schema/raw.js';
import type { Schema } from '../../schema/schema.js';
import type { SystemHome } from '../../schema/system-home.js';
import { repeatEvery, throttleByCost } from '../../util/repeat.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection } from '../../vendor/driver.js';
import { definitionOf } from '../own-rows/definition-of.js';
import { type EpochName, type EpochValues, openEpochs } from './epochs.js';
import { loadMetadata } from './load-metadata.js';

export interface SchemaStoreOptions {
  readonly dialect: Dialect;
  readonly system: SystemHome;
}

interface WatchOptions {
  readonly everyMs: number;
  /** Called once when the checks begin to fail; the schema stays unchanged. */
  readonly onOutage: (error: unknown) => void;
  /** Called once when they succeed again. */
  readonly onRecovery: () => void;
}

export interface SchemaStore {
  current(): Schema;
  /** The catalogue that the current schema was built from. */
  database(): RawDatabase;
  /** The catalogue as `connection` sees it, for planning a change of structure. Its token tells whether the known one is still true; only if not, it is read. */
  readDatabase(connection: Connection): Promise<RawDatabase>;
  /** Rises with every change of users, roles, policies and permissions. */
  policyEpoch(): number;
  /** Rises when sessions end early. */
  sessionEpoch(): number;
  /** Rises with every change of flows and their operations. */
  flowEpoch(): number;
  /** Rebuilds; resolves to a schema that includes everything committed before the call. */
  refresh(): Promise<Schema>;
  /** The same after one change of this process that found the structure of `database` and left it so: the catalogue is not read. */
  refreshMetadata(database: RawDatabase): Promise<Schema>;
  /** The current schema if its structure differs from that of `known`, else null. Reads the catalogue. */
  changedSince(known: Schema): Promise<Schema | null>;
  /** Checks the epochs now, in one statement, instead of at the next check of the watch. */
  check(): Promise<void>;
  /** Whether the last check for changes reached the database. */
  isInTouch(): boolean;
  /** Checks for changes made elsewhere until `close`. */
  watch(options: WatchOptions): void;
  /** Takes the exclusive lock of the service, across all its processes, and holds it until the transaction ends. */
  lockExclusively(connection: Connection): Promise<void>;
  /** Inside the transaction of a change: makes every process, this one included, read again. */
  bumpEpoch(connection: Connection, name: EpochName): Promise<void>;
  /** Called after every swap of the schema and every other new epoch; returns how to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** The rows of the jobs as the checks of the epochs read them, twice a second while watched. */
  onJobs(see: (rows: ReadonlyMap<string, number>) => void): void;
  close(): void;
}

interface Snapshot {
  readonly schema: Schema;
  readonly database: RawDatabase;
  readonly token: string;
  readonly epochs: EpochValues;
}

/** Changes from outside are seen within two seconds; a catalogue that takes long to read is read less often. */
const catalogueRestMs = { least: 1_000, most: 10_000 } as const;

export async function openSchemaStore(options: SchemaStoreOptions): Promise<SchemaStore> {
  const { dialect, system } = options;
  const epochs = openEpochs(dialect, definitionOf(system, 'service_epoch'), system);
  const readEpochs = async (): Promise<EpochValues> => (await epochs.read(dialect.driver)).counters;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };

  let seeJobs: (rows: ReadonlyMap<string, number>) => void = () => undefined;
  let snapshot = await buildSnapshot(options, 1, readEpochs);
  /** The highest of each that this process has seen. */
  let epochsSeen = snapshot.epochs;

  const swap = async (known: RawDatabase | null): Promise<Schema> => {
    const kept = known === snapshot.database ? await rebuildMetadata(options, snapshot, readEpochs) : null;
    snapshot = kept ?? (await buildSnapshot(options, snapshot.schema.version + 1, readEpochs));
    epochsSeen = raised(epochsSeen, snapshot.epochs);
    notify();
    return snapshot.schema;
  };
  const refresh = oneAtATime(swap);

  const check = async (): Promise<void> => {
    const { counters: seen, jobs } = await epochs.read(dialect.driver);
    seeJobs(jobs);
    if (seen.schema !== snapshot.epochs.schema) await refresh();
    else if (seen.policy > epochsSeen.policy || seen.session > epochsSeen.session || seen.flow > epochsSeen.flow) {
      epochsSeen = raised(epochsSeen, seen);
      notify();
    }
  };
  const readToken = watchCatalogue(dialect);
  const checkAll = async (): Promise<void> => {
    await check();
    const token = await readToken();
    if (token !== null && token !== snapshot.token) await refresh();
  };

  const changedSince = async (known: Schema): Promise<Schema | null> => {
    const before = snapshot;
    const isMetadataSame = (await readEpochs()).schema === before.epochs.schema;
    const isTokenSame = (await dialect.changeToken(dialect.driver)) === before.token;
    // The caller retries only once, so it needs the newest structure, not just a newer one.
    const schema = isTokenSame && isMetadataSame ? before.schema : await refresh();
    if (known !== before.schema || !isMetadataSame) return schema;
    return isSameStructure(before.database, snapshot.database) ? null : schema;
  };

  let watch: Watch = { isFailing: () => false, stop: () => undefined };
  return {
    current: () => snapshot.schema,
    database: () => snapshot.database,
    readDatabase: (connection) => readUnlessKnown(dialect, connection, snapshot),
    policyEpoch: () => epochsSeen.policy,
    sessionEpoch: () => epochsSeen.session,
    flowEpoch: () => epochsSeen.flow,
    refresh,
    refreshMetadata: refresh,
    changedSince,
    check,
    isInTouch: () => !watch.isFailing(),
    watch(watching) {
      watch = watchWith(checkAll, watching);
    },
    lockExclusively: epochs.lock,
    bumpEpoch: epochs.bump,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onJobs(see) {
      seeJobs = see;
    },
    close: () => watch.stop(),
  };
}

const raised = (known: EpochValues, seen: EpochValues): EpochValues => ({
  schema: Math.max(known.schema, seen.schema),
  policy: Math.max(known.policy, seen.policy),
  session: Math.max(known.session, seen.session),
  flow: Math.max(known.flow, seen.flow),
});

async function readUnlessKnown(dialect: Dialect, connection: Connection, { token, database }: Snapshot): Promise<RawDatabase> {
  return (await dialect.changeToken(connection)) === token ? database : dialect.introspect(connection);
}

/** The token of the catalogue; null: it was read a short time ago. The catalogue may be in another database than the epochs. While that cannot be reached, the rounds between two readings fail, too. */
function watchCatalogue({ changeToken, driver }: Dialect): () => Promise<string | null> {
  let outage: unknown = null;
  const read = throttleByCost(async () => {
    try {
      const token = await changeToken(driver);
      outage = null;
      return token;
    } catch (error) {
      outage = error instanceof DatabaseError && error.kind === 'unavailable' ? error : null;
      throw error;
    }
  }, catalogueRestMs);
  return async () => {
    const token = await read();
    if (outage !== null) throw outage;
    return token;
  };
}

interface Watch {
  isFailing(): boolean;
  stop(): void;
}

function watchWith(checkAll: () => Promise<void>, { everyMs, onOutage, onRecovery }: WatchOptions): Watch {
  let failing = false;
  const act = async (): Promise<void> => {
    await checkAll();
    if (failing) onRecovery();
    failing = false;
  };
  const stop = repeatEvery(everyMs, act, (error) => {
    if (!failing) onOutage(error);
    failing = true;
  });
  return { isFailing: () => failing, stop };
}

const maxReadings = 5;

/**
 * Epochs and token are those read before the build: a change during the build shows at the next check. While the structure is being changed the
 * catalogue may show half of it, so it is read again until its token stays the same.
 */
async function buildSnapshot(options: SchemaStoreOptions, version: number, readEpochs: () => Promise<EpochValues>): Promise<Snapshot> {
  const { dialect, system } = options;
  for (let readings = 1; ; readings += 1) {
    const epochs = await readEpochs();
    const { database, token } = await dialect.readCatalogue(dialect.driver);
    const metadata = await loadMetadata(dialect, dialect.driver, system);
    if (readings < maxReadings && (await dialect.changeToken(dialect.driver)) !== token) continue;
    return { epochs, token, database, schema: buildSchema(version, database, metadata, system) };
  }
}

/** null: another process has changed the schema, too, so its structure must be read. The epoch counts the changes. */
async function rebuildMetadata(
  { dialect, system }: SchemaStoreOptions,
  { schema, database, token, epochs: known }: Snapshot,
  readEpochs: () => Promise<EpochValues>,
): Promise<Snapshot | null> {
  const epochs = await readEpochs();
  if (epochs.schema !== known.schema + 1) return null;
  const metadata = await loadMetadata(dialect, dialect.driver, system);
  return { epochs, token, database, schema: buildSchema(schema.version + 1, database, metadata, system) };
}

/**
 * Calls during a run share one more run after it, which reads everything: the running one may have read before their change was committed.
 */
function oneAtATime<T>(work: (known: RawDatabase | null) => Promise<T>): (known?: RawDatabase) => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (known: RawDatabase | null): Promise<T> => {
    const run = work(known).finally(() => {
      running = null;
    });
    running = run;
    return run;
  };
  return (known) => {
    if (running === null && next === null) return start(known ?? null);
    next ??= (running ?? Promise.resolve())
      .catch(() => null)
      .then(() => {
        next = null;
        return start(null);
      });
    return next;
  };
}

/** A store that shares its database with other processes: `check`, `refresh` and `refreshMetadata` resolve once the other processes have seen the change too. */
export function announceChanges(store: SchemaStore, announce: () => Promise<void>): SchemaStore {
  return {
    ...store,
    async check() {
      await store.check();
      await announce();
    },
    async refresh() {
      const schema = await store.refresh();
      await announce();
      return schema;
    },
    async refreshMetadata(database) {
      const schema = await store.refreshMetadata(database);
      await announce();
      return schema;
    },
  };
}
