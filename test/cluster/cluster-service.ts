// A service on servers that the test has started, with one collection to write to.

import type { Config } from '../../src/config.js';
import { createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import type { ThrowAwayServer } from '../harness/throw-away-server.js';

const token = 'cluster-admin-token';

export interface ClusterService {
  readonly service: Service;
  readonly url: string;
  readonly api: Api;
  stop(): Promise<void>;
}

/** One address with the hosts of all servers. */
export function addressOf(servers: readonly ThrowAwayServer[], database: string): string {
  const [first = new URL('none://')] = servers.map(({ vendor }) => new URL(vendor.server));
  const hosts = servers.map(({ vendor }) => new URL(vendor.server).host);
  return `${first.protocol}//${first.username}@${hosts.join(',')}/${database}`;
}

export async function serve(databaseUrl: string, config: Partial<Config> = {}): Promise<ClusterService> {
  const service = await createService({ databaseUrl, port: 0, logLevel: 'silent', rateLimit: null, adminToken: token, ...config });
  try {
    const url = await service.listen();
    await service.ready({ onRetry: () => undefined });
    return { service, url, api: makeApi(url, token), stop: () => service.close() };
  } catch (error) {
    await service.close();
    throw error;
  }
}

export const notes = { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'string' }] };
