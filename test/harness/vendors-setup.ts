// Runs once before the tests that need a database: finds a server for each vendor (named by the environment, running on its usual port, or
// started for the tests), prepares a database there, and passes the list to the tests. With CI=true a missing vendor is a failure.
// TEST_VENDORS=postgres restricts the vendors. With TEST_SERVERS=own servers are started in any case where their programs are installed: with
// TMPDIR in memory, tables are created ten times faster there than on a disk.

import type { TestProject } from 'vitest/node';
import { findDirectoryProgram } from './directory-server.js';
import { type PreparedVendor, prepareDatabase } from './prepared-database.js';
import { isAnswering, makeServer, type ThrowAwayServer, testSettings } from './throw-away-server.js';
import { findProduct, type Vendor } from './vendors.js';

declare module 'vitest' {
  interface ProvidedContext {
    vendors: readonly Vendor[];
    /** Vendors without a server on this machine. */
    missingVendors: readonly string[];
    /** The program of an LDAP server; null: there is none here. */
    directory: string | null;
  }
}

const candidates = [
  {
    name: 'postgres',
    title: 'PostgreSQL',
    variable: 'TEST_POSTGRES_URL',
    usual: ['postgres://postgres@127.0.0.1:5432', 'postgres://postgres:postgres@127.0.0.1:5432'],
  },
  {
    name: 'mysql',
    title: 'MariaDB or MySQL',
    variable: 'TEST_MYSQL_URL',
    usual: ['mysql://root@127.0.0.1:3306', 'mysql://root:root@127.0.0.1:3306'],
  },
] as const;

let found: {
  readonly vendors: readonly PreparedVendor[];
  readonly missing: readonly string[];
  readonly servers: readonly ThrowAwayServer[];
} | null = null;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  found ??= await findVendors();
  project.provide(
    'vendors',
    found.vendors.map(({ vendor }) => vendor),
  );
  project.provide('missingVendors', found.missing);
  const directory = findDirectoryProgram();
  project.provide('directory', directory);
  const missing = [...found.missing, ...(directory === null ? ['slapd'] : [])];
  if (process.env['CI'] === 'true' && missing.length > 0) throw new Error(`not available: ${missing.join(', ')}`);
  return async () => {
    // Called for each project; the first call ends what all of them share.
    const ended = found;
    found = null;
    for (const { drop } of ended?.vendors ?? []) await drop();
    for (const server of ended?.servers ?? []) await server.remove();
  };
}

async function findVendors(): Promise<NonNullable<typeof found>> {
  const wanted = process.env['TEST_VENDORS']?.split(',') ?? null;
  const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);
  const vendors: Vendor[] = isWanted('sqlite') ? [{ name: 'sqlite', server: '', label: 'SQLite' }] : [];
  const missing: string[] = [];
  const servers: ThrowAwayServer[] = [];
  for (const candidate of candidates.filter(({ name }) => isWanted(name))) {
    let server = process.env['TEST_SERVERS'] === 'own' ? await startServer(candidate.name) : null;
    const running = server === null ? await findRunning(candidate) : null;
    if (running === null) server ??= await startServer(candidate.name);
    if (server !== null) servers.push(server);
    const vendor = running ?? server?.vendor;
    if (vendor === undefined) missing.push(candidate.title);
    else vendors.push(vendor);
  }
  try {
    return { vendors: await Promise.all(vendors.map(prepareDatabase)), missing, servers };
  } catch (error) {
    for (const server of servers) await server.remove();
    throw error;
  }
}

async function findRunning(candidate: (typeof candidates)[number]): Promise<Vendor | null> {
  const given = process.env[candidate.variable];
  for (const url of given === undefined
    ? candidate.usual
    : [given.replace(/\/[^/@]*$/, (path) => (given.split('/').length > 3 ? '' : path))]) {
    const server = { name: candidate.name, server: url };
    if (await isAnswering(server)) return { ...server, label: `${await findProduct(server)} (${new URL(url).host})` };
  }
  return null;
}

async function startServer(name: 'postgres' | 'mysql'): Promise<ThrowAwayServer | null> {
  const server = await makeServer(name, testSettings(name)).catch(() => null);
  if (server === null) return null;
  try {
    await server.start();
    return server;
  } catch {
    await server.remove();
    return null;
  }
}
