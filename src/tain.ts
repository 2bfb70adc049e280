// The composition root, the only file that knows every floor, and the API for embedding applications. createService puts a service
// together; `ready` and `listen` start it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { App, ComposeApp } from './compose/app.js';
import { isTemporary } from './compose/explain-database-error.js';
import { joinDatabases } from './compose/mirrored-dialect.js';
import type { Siblings } from './compose/siblings.js';
import { type Config, ConfigError, readConfig } from './config.js';
import { type Caller, serviceCaller } from './core/access/view.js';
import { announceChanges, openSchemaStore, type SchemaStore } from './core/engine/store/schema-store.js';
import type { SystemHome, Wire } from './core/schema/system-home.js';
import type { Dialect, DialectOptions } from './core/vendor/dialect.js';
import type { ProveCopy } from './core/vendor/replication.js';
import type { Traces } from './doors/http/request/traces.js';
import { createGate, type Gate } from './doors/http/server/gate.js';
import type { HostOptions, ReadyOptions, Service } from './embedding.js';
import { openUserAdministration } from './service/auth/account/user-administration.js';
import { defineExtension, type Extension, endpoint } from './service/extensions/extension.js';
import type { LoadedFiles } from './service/extensions/load-extensions.js';
import { shapes } from './service/extensions/shapes.js';
import type { Storages } from './service/files/storage/storage.js';
import { openStructure } from './service/structure/structure.js';
import type { AdoptionReport } from './service/system/adopt/adopt.js';
import { findHome } from './service/system/adopt/find-home.js';
import { type Installed, install, migrateAmongOthers } from './service/system/install.js';
import type { UpgradeState } from './service/system/upgrade-state.js';
import type { Progress } from './service/transfer/backup/progress.js';
import type { RestoreReport } from './service/transfer/backup/restore.js';
import type { BackupReport } from './service/transfer/backup/take-backup.js';

export type { Config } from './config.js';
export type { ServiceError } from './core/errors/service-error.js';
export type * from './embedding.js';
export type { HostCaller, NamedCaller } from './service/auth/auth-context.js';
export type * from './service/extensions/extension.js';
export type { UpgradeState } from './service/system/upgrade-state.js';
export { defineExtension, endpoint, shapes };

interface Running extends App {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly system: SystemHome;
  readonly installed: Installed;
}

export async function createService(given: Partial<Config> = {}, host: HostOptions = {}): Promise<Service> {
  const config = readConfig({}, given);
  const traces = config.traces ? await loadTraces() : null;
  const extensions = await findExtensions(config, host.extensions ?? []);
  const gate = createGate(host.basePath ?? config.basePath);
  let opening: Promise<Running> | null = null;
  let databases: readonly Dialect[] = [];
  const stop = new AbortController();

  const start = async ({ onRetry = null }: ReadyOptions): Promise<Running> => {
    // Not retried: a file that is no database or a wrong address stays wrong. A database that is away may come back, so `build` is.
    // The doors take as long to load as a database takes to open, so both happen at once.
    const [opened, { composeApp }] = await Promise.all([openDatabases(config), import('./compose/app.js')]);
    databases = [opened.system, ...(opened.data === null ? [] : [opened.data])];
    const running = await retryUntil(
      () => build(config, opened, gate, { ...host, composeApp, traces, found: extensions, isEnding: () => stop.signal.aborted }),
      {
        isTemporary,
        signal: stop.signal,
        onRetry,
      },
    );
    gate.open();
    return running;
  };
  const ready = (options: ReadyOptions = {}): Promise<Running> => {
    opening ??= start(options);
    return opening;
  };
  return {
    config,
    async ready(options) {
      const { administrator, setupCode } = (await ready(options)).installed;
      return { administrator, setupCode };
    },
    handler: gate.handle,
    listen: () => gate.listen(config.host, config.port),
    inject: async (request) => (await ready()).app.inject(request),
    call: async (...args) => (await ready()).call(...args),
    async loadDemo() {
      const running = await ready();
      const { loadDemo } = await import('./service/system/demo/load-demo.js');
      const result = await loadDemo(running.dialect, running.system);
      await running.store.refresh();
      return result;
    },
    async administer() {
      const running = await ready();
      const rules = { dialect: running.dialect, system: running.system };
      const caller = (): Caller => serviceCaller(running.store.current());
      const structure = openStructure(rules, running.store, running.engine.resolveStored);
      const { openConfiguration } = await import('./service/transfer/config/configuration.js');
      return {
        structure,
        configuration: openConfiguration({ ...rules, structure, caller }),
        origin: running.origin,
        caller,
        users: openUserAdministration(running.engine, caller),
        keys: running.keys,
      };
    },
    statements: () => databases.reduce((sum, { driver }) => sum + driver.statements(), 0),
    async close() {
      stop.abort();
      const running = await opening?.catch(() => null);
      if (running !== null && running !== undefined && config.drainTime > 0) await sleep(config.drainTime);
      const ended = running?.realtime.close();
      await gate.close();
      await running?.app.close();
      await ended;
      running?.store.close();
      await Promise.all(databases.map(({ driver }) => driver.close()));
    },
  };
}

/** Adopts the tables that Directus made in a database, so that a service on it uses them as its own. `dryRun`: only reports what it found. */
export const adoptDatabase = (config: Config, dryRun: boolean): Promise<AdoptionReport> =>
  withDialect(config, async (dialect) =>
    (await import('./service/system/adopt/adopt.js')).adopt(dialect, {
      schema: config.systemSchema,
      storages: config.storageNames,
      providers: config.authProviders,
      dryRun,
    }),
  );

/** Undoes an adoption: removes what the service made beside the adopted tables. */
export const releaseDatabase = (config: Config): Promise<void> =>
  withDialect(config, async (dialect) => (await import('./service/system/adopt/adopt.js')).release(dialect, config.systemSchema));

/** Keeps a database on another wire; resolves to false if it is on this one already. */
export const switchDatabase = (config: Config, wire: Wire): Promise<boolean> =>
  withDialect(config, async (dialect) => {
    const { switchWire } = await import('./service/system/wire/switch-wire.js');
    const change = (data: Dialect | null): Promise<boolean> => switchWire(dialect, data, config.systemSchema, wire);
    return config.systemDatabaseUrl === null ? change(null) : withDialect(config, change, config.databaseUrl);
  });

/** What the next start would do to the tables of the service. Writes nothing: the connection is read-only. */
export const checkUpgrade = (config: Config): Promise<UpgradeState> =>
  withSystem(config, { readOnly: true }, async (...home) => (await import('./service/system/upgrade-state.js')).readUpgradeState(...home));

/** Brings the tables of the service up to date; resolves to what was due. A database that is new or newer stays as it is. */
export async function applyUpgrade(config: Config): Promise<UpgradeState> {
  const state = await checkUpgrade(config);
  if (state.kind === 'due') await withSystem(config, {}, migrateAmongOthers);
  return state;
}

const withSystem = <T>(config: Config, access: Access, work: (dialect: Dialect, system: SystemHome) => Promise<T>): Promise<T> =>
  withDialect(
    unhurried(config),
    async (dialect) => work(dialect, await findHome(dialect, config.systemSchema, config.wire)),
    config.systemDatabaseUrl ?? config.databaseUrl,
    access,
  );

/** Writes the database into a file. `withFiles`: with the contents of files. */
export const backupDatabase = (
  config: Config,
  path: string,
  withFiles: boolean,
  onProgress: (progress: Progress) => void,
): Promise<BackupReport> =>
  withDialect(unhurried(config), async (dialect) => {
    const [{ takeBackup }, { version }] = await Promise.all([import('./service/transfer/backup/take-backup.js'), import('./version.js')]);
    const system = await findHome(dialect, config.systemSchema, null);
    const storages = withFiles ? await storagesOf(config) : null;
    return takeBackup(path, { dialect, system, storages, secret: config.secret, release: version, onProgress });
  });

/** Stores a backup in an empty database. */
export const restoreDatabase = (config: Config, path: string, onProgress: (progress: Progress) => void): Promise<RestoreReport> =>
  withDialect(unhurried(config), async (dialect) => {
    const [{ restoreBackup }, { version }] = await Promise.all([import('./service/transfer/backup/restore.js'), import('./version.js')]);
    const { systemSchema, secret } = config;
    return restoreBackup(path, { dialect, systemSchema, storages: await storagesOf(config), secret, release: version, onProgress });
  });

/** A statement over a whole table takes as long as the table is large. */
const unhurried = (config: Config): Config => ({ ...config, statementTimeout: 0, databaseReadUrls: [] });

async function storagesOf(config: Config): Promise<Storages> {
  const { openStorages } = await import('./service/files/open-files.js');
  return openStorages({ root: config.storageRoot, bucketUrl: config.storageUrl, names: config.storageNames });
}

async function withDialect<T>(
  config: Config,
  work: (dialect: Dialect) => Promise<T>,
  url = config.systemDatabaseUrl ?? config.databaseUrl,
  access: Access = {},
): Promise<T> {
  const dialect = await openDialect(config, url, access);
  try {
    return await work(dialect);
  } finally {
    await dialect.driver.close();
  }
}

interface BuildOptions extends HostOptions {
  readonly composeApp: ComposeApp;
  readonly traces: Traces | null;
  readonly found: LoadedFiles | null;
  readonly isEnding: () => boolean;
}

/** Loaded with the setting only. */
async function loadTraces(): Promise<Traces> {
  const [{ openTraces }, { version }] = await Promise.all([import('./doors/http/request/traces.js'), import('./version.js')]);
  const traces = await openTraces(version);
  if (traces === null) throw new ConfigError(['TRACES: needs a package that is not installed: npm install @opentelemetry/api']);
  return traces;
}

/** null: there are none, and nothing of them is loaded. */
async function findExtensions({ extensions, extensionsStrict }: Config, given: readonly Extension[]): Promise<LoadedFiles | null> {
  if (extensions.length === 0 && given.length === 0) return null;
  const { loadExtensions } = await import('./service/extensions/load-extensions.js');
  const own = new URL(import.meta.url.endsWith('/tain.ts') ? './tain.ts' : './tain.js', import.meta.url);
  const loaded = await loadExtensions(extensions, given, own.href);
  if (extensionsStrict && loaded.faults.length > 0) throw new ConfigError(loaded.faults);
  return loaded;
}

/** Does everything that needs a database that answers. */
async function build(config: Config, databases: Databases, gate: Gate, host: BuildOptions): Promise<Running> {
  const { siblings = null, caller: hostCaller = null, isEnding, composeApp, traces, found } = host;
  const { system: own, data } = databases;
  const system = await findHome(own, config.systemSchema, config.wire);
  const dialect = data === null ? own : joinDatabases(own, data, system);
  const installed = await install({ ...config, dialect, system });
  let announceToInstances = (): void => undefined;
  const { store, checkEpochs } = await openSharedStore(dialect, system, siblings, () => announceToInstances());
  const { replicas } = dialect;
  if (replicas !== null) await replicas.begin(await proofOfCopies(dialect, system, store));
  const composed = await composeApp({
    config,
    dialect,
    store,
    checkEpochs,
    system,
    secret: installed.secret,
    gate,
    siblings,
    hostCaller,
    traces,
    extensions: found,
    isEnding,
  });
  announceToInstances = () => composed.realtime.announceEpochs();
  const { log } = composed.app;
  if (traces?.isCollecting() === false)
    log.warn('TRACES is on, but no SDK of OpenTelemetry is loaded that would collect them: see docs/scale.md, Traces');
  replicas?.onChange(({ name, unused }) => {
    if (unused === null) log.info({ replica: name }, 'the replica answers reads');
    else log.warn({ replica: name, reason: unused }, 'the replica answers no reads');
  });
  store.watch({
    everyMs: watchEveryMs,
    onOutage: (error) => log.warn({ err: error }, 'changes made elsewhere cannot be seen: the check of the database fails'),
    onRecovery: () => log.info('changes made elsewhere are seen again'),
  });
  composed.realtime.connect();
  return { dialect, store, system, installed, ...composed };
}

/** How often the service checks for changes made by other processes. */
const watchEveryMs = 500;

/** One database, or the tables of the service and the data, which are only read, in one each. */
interface Databases {
  readonly system: Dialect;
  readonly data: Dialect | null;
}

async function openDatabases(config: Config): Promise<Databases> {
  const { databaseUrl, systemDatabaseUrl } = config;
  if (systemDatabaseUrl === null) return { system: await openDialect(config, databaseUrl), data: null };
  const data = await openDialect(config, databaseUrl, { readOnly: true });
  try {
    return { system: await openDialect(config, systemDatabaseUrl), data };
  } catch (error) {
    await data.driver.close();
    throw error;
  }
}

type Access = Pick<DialectOptions, 'readOnly'>;

async function openDialect(config: Config, url: string, { readOnly }: Access = {}): Promise<Dialect> {
  const options: DialectOptions = {
    url,
    readOnly: readOnly === true,
    poolSize: config.poolSize,
    pooler: config.pooler,
    statementTimeoutMs: config.statementTimeout,
    deadlines: { poolMs: config.poolTimeout, lockMs: config.lockTimeout, silenceMs: config.silenceTimeout },
    systemSchema: config.systemSchema,
    mapBytes: config.sqliteMap,
    journal: config.sqliteJournal,
    replicas: { urls: config.databaseReadUrls, waitMs: config.replicaWait, maxLagMs: config.replicaLag },
  };
  // The configuration has refused unknown schemes: anything else is a file of SQLite, with or without one.
  const [scheme = ''] = url.split(':', 1);
  switch (scheme.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
      return (await import('./dialects/postgres/index.js')).openPostgres(options);
    case 'mysql':
    case 'mariadb':
      return (await import('./dialects/mysql/index.js')).openMysql(options);
    default:
      return (await import('./dialects/sqlite/index.js')).openSqlite(options);
  }
}

async function proofOfCopies(dialect: Dialect, system: SystemHome, store: SchemaStore): Promise<ProveCopy> {
  const { openProofOfCopies } = await import('./service/system/prove-copy.js');
  return openProofOfCopies(dialect, system, () => store.database().tables);
}

/** `checkEpochs` reads what others have changed without announcing it, because two processes would otherwise notify each other forever. */
interface SharedStore {
  readonly store: SchemaStore;
  readonly checkEpochs: () => Promise<void>;
}

/** Changes are announced to the other processes of this service, which must confirm them, and to other instances without waiting (`announceToInstances`). */
async function openSharedStore(
  dialect: Dialect,
  system: SystemHome,
  siblings: Siblings | null,
  announceToInstances: () => void,
): Promise<SharedStore> {
  const store = await openSchemaStore({ dialect, system });
  const checkEpochs = (): Promise<void> => store.check();
  await siblings?.onChange(checkEpochs);
  const seen = (): string => [store.current().version, store.policyEpoch(), store.sessionEpoch()].join();
  let announced = seen();
  const announce = async (): Promise<void> => {
    const present = seen();
    // Most logins, for example, change nothing that others keep.
    if (present !== announced) announceToInstances();
    announced = present;
    await siblings?.announceChange();
  };
  return { store: announceChanges(store, announce), checkEpochs };
}

interface RetryOptions {
  readonly isTemporary: (error: unknown) => boolean;
  readonly signal: AbortSignal;
  /** Null: one try only. */
  readonly onRetry: ((error: unknown) => void) | null;
}

const longestPauseMs = 2000;

/** Retries what failed for a temporary reason: soon at first, then every two seconds. */
async function retryUntil<T>(work: () => Promise<T>, { isTemporary, signal, onRetry }: RetryOptions): Promise<T> {
  for (let pause = 250; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (onRetry === null || !isTemporary(error)) throw error;
      onRetry(error);
    }
    await sleep(pause, undefined, { signal });
  }
}
