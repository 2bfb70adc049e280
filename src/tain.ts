// The composition root: the only file that knows every floor. createService puts a service together and starts nothing by itself.

import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { composeApp } from './compose-app.js';
import { type Config, readConfig } from './config.js';
import { type Caller, serviceCaller } from './core/access/view.js';
import { announceChanges } from './core/engine/announce-changes.js';
import { openSchemaStore, type SchemaStore } from './core/engine/schema-store.js';
import type { Dialect, DialectOptions } from './core/vendor/dialect.js';
import { createGate, type Gate } from './doors/http/gate.js';
import { isTemporary } from './explain-database-error.js';
import { retryUntil } from './retry-until.js';
import { hashPassword } from './service/secrets/hash-password.js';
import { randomToken } from './service/secrets/random-token.js';
import { digestToken } from './service/secrets/token-digest.js';
import { openStructure, type Structure } from './service/structure/structure.js';
import type { DemoResult } from './service/system/demo/load-demo.js';
import { type Installed, install } from './service/system/install.js';
import { systemDefinitions } from './service/system/system-definitions.js';
import type { Siblings } from './siblings.js';

export type { Config } from './config.js';

export interface ReadyOptions {
  /** Called before each new try while the database is away; without it the first failure is final. */
  readonly onRetry?: ((error: unknown) => void) | null;
}

export interface Service {
  readonly config: Config;
  /** Opens the database, installs the system tables, builds the routes; resolves when requests are answered. */
  ready(options?: ReadyOptions): Promise<Pick<Installed, 'administrator'>>;
  /** Listens at once; until the service is ready everything but /server/ping is answered by 503. Resolves to the address. */
  listen(): Promise<string>;
  /** A request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Fills the database with the bookshop to try things on. */
  loadDemo(): Promise<DemoResult>;
  /** The structure of the database, for whoever can run a command on this machine: no caller's rights are asked. */
  administer(): Promise<Administration>;
  /** How many statements were sent to the database so far. */
  statements(): number;
  /** Stops accepting, lets accepted requests finish, closes the database. */
  close(): Promise<void>;
}

export interface Administration {
  readonly structure: Structure;
  caller(): Caller;
}

interface Running {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly app: FastifyInstance;
  readonly installed: Installed;
}

/** `siblings`: other processes that serve the same database and hear of changes at once. */
export async function createService(given: Partial<Config> = {}, siblings: Siblings | null = null): Promise<Service> {
  const config = readConfig({}, given);
  const gate = createGate();
  let opening: Promise<Running> | null = null;
  let dialect: Dialect | null = null;
  const stop = new AbortController();

  const start = async ({ onRetry = null }: ReadyOptions): Promise<Running> => {
    // What cannot even be opened (a file that is no database, a wrong address) never will be; what is away may come back.
    const opened = await openDialect(config);
    dialect = opened;
    const running = await retryUntil(() => build(config, opened, gate, siblings), { isTemporary, signal: stop.signal, onRetry });
    gate.open();
    return running;
  };
  const ready = (options: ReadyOptions = {}): Promise<Running> => {
    opening ??= start(options);
    return opening;
  };
  return {
    config,
    ready: async (options) => (await ready(options)).installed,
    listen: () => gate.listen(config.host, config.port),
    inject: async (request) => (await ready()).app.inject(request),
    async loadDemo() {
      const running = await ready();
      const { loadDemo } = await import('./service/system/demo/load-demo.js');
      const result = await loadDemo(running.dialect, config.systemSchema);
      await running.store.refresh();
      return result;
    },
    async administer() {
      const running = await ready();
      const rules = { dialect: running.dialect, definitions: systemDefinitions, systemSchema: config.systemSchema };
      return { structure: openStructure(rules, running.store), caller: () => serviceCaller(running.store.current()) };
    },
    statements: () => dialect?.driver.statements() ?? 0,
    async close() {
      stop.abort();
      const running = await opening?.catch(() => null);
      await gate.close();
      await running?.app.close();
      running?.store.close();
      await dialect?.driver.close();
    },
  };
}

/** Everything that needs the database to be there. */
async function build(config: Config, dialect: Dialect, gate: Gate, siblings: Siblings | null): Promise<Running> {
  const installed = await install({ ...config, dialect, hashPassword, digestToken, randomToken });
  const store = await openSharedStore(config, dialect, siblings);
  return { dialect, store, installed, app: await composeApp({ config, dialect, store, secret: installed.secret, gate, siblings }) };
}

async function openDialect(config: Config): Promise<Dialect> {
  const options: DialectOptions = {
    url: config.databaseUrl,
    poolSize: config.poolSize,
    statementTimeoutMs: config.statementTimeout,
    systemSchema: config.systemSchema,
    mapBytes: config.sqliteMap,
  };
  const [, scheme = 'sqlite'] = /^([a-z]+):/i.exec(config.databaseUrl) ?? [];
  switch (scheme.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
      return (await import('./dialects/postgres/index.js')).openPostgres(options);
    case 'mysql':
    case 'mariadb':
      return (await import('./dialects/mysql/index.js')).openMysql(options);
    case 'sqlite':
    case 'file':
      return (await import('./dialects/sqlite/index.js')).openSqlite(options);
    default:
      throw new Error(`DATABASE_URL: "${scheme}:" is no database Tain knows; use sqlite:, postgres: or mysql:`);
  }
}

async function openSharedStore(config: Config, dialect: Dialect, siblings: Siblings | null): Promise<SchemaStore> {
  const store = await openStore(config, dialect);
  if (siblings === null) return store;
  await siblings.onChange(() => store.look());
  return announceChanges(store, () => siblings.tellChange());
}

const openStore = (config: Config, dialect: Dialect): Promise<SchemaStore> =>
  openSchemaStore({
    dialect,
    definitions: systemDefinitions,
    systemSchema: config.systemSchema,
    lookEveryMs: 500,
    onError: () => undefined,
  });
