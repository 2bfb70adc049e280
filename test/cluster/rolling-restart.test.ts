// Instances behind HAProxy as deploy/haproxy.cfg sets it up, restarted one after the other while clients read and write: no request fails, and no write
// is lost.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminToken, startService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { type ClusterService, notes, serve } from './cluster-service.js';
import { startHaproxy } from './haproxy.js';
import { lostOf, startWriteLoad } from './write-load.js';

/** The file of the project, with ports of this machine in place of the names of compose.cluster.yaml. */
function configOf(address: string, ports: readonly number[]): string {
  const lines = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
    // The files that a user may open here.
    .replace('maxconn 10000', 'maxconn 500')
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .split('\n')
    .flatMap((line) => {
      if (line.includes('bind :8055')) return [`  bind ${address}`];
      return line.includes('server-template') ? ports.map((port, index) => `  server tain${index + 1} 127.0.0.1:${port}`) : [line];
    });
  return lines.join('\n');
}

// As in compose.cluster.yaml: longer than two checks of the balancer take.
const config = { drainTime: 5_000, adminToken, metrics: true };

describeEachVendor('a rolling restart behind HAProxy', (vendor) => {
  it('fails no request and loses no write', async () => {
    const first = await startService(vendor, { area: 'rolling' });
    // Instances that run already would see it a little later.
    await first.api.post('/collections', notes);
    const ports = [await freePort(), await freePort()];
    const haproxy = await startHaproxy((address) => configOf(address, ports));
    const api = makeApi(`http://${haproxy.address}`, adminToken);
    let instances: readonly ClusterService[] = [];
    try {
      for (const port of ports) instances = [...instances, await serve(first.databaseUrl, { ...config, port })];
      await expect.poll(async () => (await api.get('/items/notes')).status).toBe(200);
      const failed: string[] = [];
      let reading = true;
      let reads = 0;
      const readOn = async (): Promise<void> => {
        for (; reading; reads += 1) {
          const { status, text } = await api.get('/items/notes?limit=1&sort=-id');
          if (status !== 200) failed.push(`${status} ${text}`);
        }
      };
      const reader = readOn();
      const load = startWriteLoad(api, 'notes', 2);
      for (const [index, port] of ports.entries()) {
        // It says that it is not ready, keeps answering for a while, and ends.
        await instances[index]?.stop();
        const written = load.acknowledged.length;
        // The other one keeps serving.
        await expect.poll(() => load.acknowledged.length).toBeGreaterThan(written + 5);
        const fresh = await serve(first.databaseUrl, { ...config, port });
        instances = instances.with(index, fresh);
        // The next one may go when the balancer has found it.
        await expect.poll(() => writesAt(fresh)).toBeGreaterThan(10);
      }
      reading = false;
      await Promise.all([reader, load.stop()]);
      expect(failed).toEqual([]);
      expect(load.odd).toEqual([]);
      expect(load.refused).toEqual(0);
      expect(reads).toBeGreaterThan(100);
      const rows = (await first.api.get('/items/notes?limit=-1&fields=text')).body.data;
      expect(lostOf(load, rows)).toEqual([]);
      expect(rows.length, 'and none is there twice').toBe(load.acknowledged.length);
    } finally {
      for (const { stop } of instances) await stop();
      await haproxy.stop();
      await first.stop();
    }
  });
});

/** How many writes the balancer has sent to this instance. */
async function writesAt({ url }: ClusterService): Promise<number> {
  const { text } = await makeApi(url, adminToken).get('/metrics');
  return Number(/^tain_requests_total\{method="POST",route="\/items\/:collection",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
