// Starts a service for a block of tests: new database, free port, an administrator with a known token.

import type { Config } from '../../src/config.js';
import { type CallOperation, createService, type Extension } from '../../src/tain.js';
import { type Api, makeApi } from './api.js';
import { type DirectAccess, openDirectAccess } from './direct-access.js';
import { patientConfig } from './patience.js';
import { createDatabase, type Vendor } from './vendors.js';

export const adminEmail = 'admin@example.com';
export const adminPassword = 'correct-horse-battery';
export const adminToken = 'tain-test-admin-token';

export interface TestService extends DirectAccess {
  readonly url: string;
  readonly databaseUrl: string;
  /** Sends requests as the administrator. */
  readonly api: Api;
  /** Sends requests with this token; null: without one. */
  as(token: string | null): Api;
  /** An operation by its id, as an application around the service calls it. */
  readonly call: CallOperation;
  /** How many statements `work` sent to the database. */
  countStatements(work: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config?: Partial<Config>;
  /** Statements to run on the database before the service starts. */
  readonly fixture?: string;
  readonly area?: string;
  /** The service makes its tables itself, instead of finding them in a copy of the prepared database. */
  readonly onEmpty?: boolean;
  /** Loads the bookshop of `tain demo`. */
  readonly demo?: boolean;
  readonly extensions?: readonly Extension[];
}

/** Not where the tables of the service are elsewhere, nor where a fixture has tables with names of ours or of what is adopted. */
const startsOnCopy = ({ config = {}, fixture = '', onEmpty = false }: StartOptions): boolean =>
  !onEmpty &&
  (config.systemSchema ?? null) === null &&
  (config.systemDatabaseUrl ?? null) === null &&
  (config.wire ?? null) === null &&
  !/service_|directus_/i.test(fixture);

export async function startService(vendor: Vendor, options: StartOptions = {}): Promise<TestService> {
  const database = await createDatabase(vendor, options.area, startsOnCopy(options) ? vendor.prepared : undefined);
  const direct = await openDirectAccess(vendor, database.url);
  if (options.fixture !== undefined) await direct.sql(options.fixture);
  const config = {
    databaseUrl: database.url,
    port: 0,
    logLevel: 'error' as const,
    rateLimit: null,
    adminEmail,
    adminPassword,
    adminToken,
    ...patientConfig,
    ...options.config,
  };
  const service = await createService(config, options.extensions === undefined ? {} : { extensions: options.extensions });
  const stop = async (): Promise<void> => {
    await service.close();
    await direct.close();
    await database.drop();
  };
  try {
    const url = await service.listen();
    await service.ready();
    if (options.demo === true) await service.loadDemo();
    return {
      ...direct,
      url,
      databaseUrl: database.url,
      api: makeApi(url, adminToken),
      as: (token) => makeApi(url, token),
      call: service.call,
      countStatements: async (work) => {
        const before = service.statements();
        await work();
        return service.statements() - before;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
