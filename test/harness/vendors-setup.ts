// Runs once before the tests over HTTP: finds a server for every vendor (told by the environment, running on its usual port, or
// thrown away after use) and tells the tests which vendors there are. With CI=true a missing vendor is a failure.

import type { TestProject } from 'vitest/node';
import { isAnswering, makeServer, type ThrowAwayServer } from './throw-away-server.js';
import type { Vendor } from './vendors.js';

declare module 'vitest' {
  interface ProvidedContext {
    vendors: readonly Vendor[];
    /** Vendors for which there is no server here. */
    missingVendors: readonly string[];
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
    title: 'MariaDB',
    variable: 'TEST_MYSQL_URL',
    usual: ['mysql://root@127.0.0.1:3306', 'mysql://root:root@127.0.0.1:3306'],
  },
] as const;

let found: {
  readonly vendors: readonly Vendor[];
  readonly missing: readonly string[];
  readonly servers: readonly ThrowAwayServer[];
} | null = null;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  found ??= await findVendors();
  project.provide('vendors', found.vendors);
  project.provide('missingVendors', found.missing);
  if (process.env['CI'] === 'true' && found.missing.length > 0) throw new Error(`not available: ${found.missing.join(', ')}`);
  return async () => {
    for (const server of found?.servers ?? []) await server.remove();
  };
}

async function findVendors(): Promise<NonNullable<typeof found>> {
  const vendors: Vendor[] = [{ name: 'sqlite', server: '', label: 'SQLite' }];
  const missing: string[] = [];
  const servers: ThrowAwayServer[] = [];
  for (const candidate of candidates) {
    const running = await findRunning(candidate);
    const server = running === null ? await startServer(candidate.name) : null;
    if (server !== null) servers.push(server);
    const vendor = running ?? server?.vendor;
    if (vendor === undefined) missing.push(candidate.title);
    else vendors.push(vendor);
  }
  return { vendors, missing, servers };
}

async function findRunning(candidate: (typeof candidates)[number]): Promise<Vendor | null> {
  const told = process.env[candidate.variable];
  for (const url of told === undefined
    ? candidate.usual
    : [told.replace(/\/[^/@]*$/, (path) => (told.split('/').length > 3 ? '' : path))]) {
    const vendor: Vendor = { name: candidate.name, server: url, label: `${candidate.title} (${new URL(url).host})` };
    if (await isAnswering(vendor)) return vendor;
  }
  return null;
}

async function startServer(name: 'postgres' | 'mysql'): Promise<ThrowAwayServer | null> {
  const server = await makeServer(name).catch(() => null);
  if (server === null) return null;
  try {
    await server.start();
    return server;
  } catch {
    await server.remove();
    return null;
  }
}
