// Two instances behind a balancer, restarted one after the other while clients read and write: no request fails, and no write is lost.

import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminToken, startService } from '../harness/start-service.js';
import { type ClusterService, notes, serve } from './cluster-service.js';
import { lostOf, startWriteLoad } from './write-load.js';

interface Balancer {
  readonly url: string;
  /** The instances that get requests, in turn. */
  instances: readonly string[];
  stop(): Promise<void>;
}

/** Asks `/server/ready` of each instance without pause, as balancers do, and sends requests to those that say yes; it repeats none. */
async function startBalancer(): Promise<Balancer> {
  const ready = new Set<string>();
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    const open = balancer.instances.filter((instance) => ready.has(instance));
    turn += 1;
    const target = open[turn % Math.max(open.length, 1)];
    if (target === undefined) {
      outgoing.writeHead(502).end('no instance');
      return;
    }
    const { method, url, headers } = incoming;
    const passed = send(new URL(url ?? '/', target), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(String(error))));
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let checking = true;
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instances: [],
    async stop() {
      checking = false;
      await checks;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const checks = (async () => {
    while (checking) {
      for (const instance of balancer.instances) {
        const says = await fetch(`${instance}/server/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (says) ready.add(instance);
        else ready.delete(instance);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return balancer;
}

// Longer than a check of the balancer takes, even on a busy machine.
const config = { drainTime: 3000, adminToken };

describeEachVendor('a rolling restart', (vendor) => {
  it('fails no request and loses no write', async () => {
    const first = await startService(vendor, { area: 'rolling', config: { ...config, drainTime: 0 } });
    // Instances that run already would see it a little later.
    await first.api.post('/collections', notes);
    const balancer = await startBalancer();
    let instances: readonly ClusterService[] = [await serve(first.databaseUrl, config), await serve(first.databaseUrl, config)];
    balancer.instances = instances.map(({ url }) => url);
    const api = makeApi(balancer.url, adminToken);
    try {
      await expect.poll(async () => (await api.get('/items/notes')).status).toBe(200);
      const failed: string[] = [];
      let reading = true;
      const reads = (async () => {
        while (reading) {
          const { status, text } = await api.get('/items/notes?limit=1&sort=-id');
          if (status !== 200) failed.push(`${status} ${text}`);
        }
      })();
      const load = startWriteLoad(api, 'notes', 2);
      for (const index of [0, 1]) {
        const old = instances[index];
        const fresh = await serve(first.databaseUrl, config);
        instances = instances.with(index, fresh);
        balancer.instances = [...balancer.instances, fresh.url];
        // The old one says that it is not ready, goes on answering for a while, and ends.
        await old?.stop();
        balancer.instances = balancer.instances.filter((url) => url !== old?.url);
        const written = load.acknowledged.length;
        // The others go on.
        await expect.poll(() => load.acknowledged.length).toBeGreaterThan(written + 5);
      }
      reading = false;
      await Promise.all([reads, load.stop()]);
      expect(failed).toEqual([]);
      expect(load.odd).toEqual([]);
      expect(load.refused).toEqual(0);
      const rows = (await first.api.get('/items/notes?limit=-1&fields=text')).body.data;
      expect(lostOf(load, rows)).toEqual([]);
      expect(rows.length, 'and none is there twice').toBe(load.acknowledged.length);
    } finally {
      for (const { stop } of instances) await stop();
      await balancer.stop();
      await first.stop();
    }
  });
});
