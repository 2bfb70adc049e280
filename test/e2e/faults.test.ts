// Every call that a request makes to the database fails once, and so does every call to the bucket and every packet to Redis: nothing is
// ever answered that is not so, nothing is done by halves, no connection is lost.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BucketServer, startBucket } from '../harness/bucket-server.js';
import { type CutProxy, startCutProxy } from '../harness/cut-proxy.js';
import { describeEachVendor, describeVendorsTogether } from '../harness/describe-each-vendor.js';
import type { FaultPoint } from '../harness/fault-point.js';
import { type FaultLine, firstLoginTrial, runTrial, type Trial, trials, uploadTrial } from '../harness/fault-trials.js';
import { type FaultyService, startFaultyService } from '../harness/faulty-service.js';
import { makeStorageFolder, type StorageFolder } from '../harness/upload.js';

const redisAddress = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const faults = [
  { kind: 'unavailable', when: 'before' },
  { kind: 'unavailable', when: 'after' },
  { kind: 'deadlock', when: 'before' },
] as const;

// A refused login waits, and there are many: the vendors wait beside each other.
describeVendorsTogether('faults of the database', (vendor) => {
  let service: FaultyService;
  let folder: StorageFolder;

  beforeAll(async () => {
    folder = makeStorageFolder();
    service = await startFaultyService(vendor, { storageRoot: folder.root });
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it.each(trials)('$name', async (trial) => {
    for (const fault of faults) {
      const line = { arm: (at: number) => service.faults.arm(at, fault), disarm: () => service.faults.disarm() };
      await runTrial(service, trial, line, `${fault.kind} ${fault.when}`);
    }
    const files = await service.direct.sql('select count(*) as many from service_files');
    expect(folder.list().length).toBe(Number(files[0]?.['many']));
  });
});

/** What a cut does to a transaction is for the database to say: all of it or nothing. */
const lineOf = (faults: FaultPoint, lasting = false): FaultLine => ({
  isBlind: true,
  arm: (at) => faults.arm(at, lasting),
  disarm: () => ({ struck: faults.disarm(), committed: true }),
});

/** What the database does with the last packets it got, it may do after the answer: a commit on its way would be counted in the next round. */
const cutLineOf = (proxy: CutProxy): FaultLine => ({
  ...lineOf(proxy.faults),
  async disarm() {
    const struck = proxy.faults.disarm();
    await proxy.settled();
    return { struck, committed: true };
  },
});

const overTheWire: readonly Trial[] = trials.filter(({ name }) => ['nested create', 'nested update', 'batch', 'login'].includes(name));

describeVendorsTogether('connections to the database that are cut', (vendor) => {
  // SQLite has no wire.
  const modes = vendor.name === 'sqlite' ? [] : [false, true];

  // A connection is cut at each packet of each trial.
  it('leave nothing half done', { timeout: 400_000 }, async () => {
    for (const passesOn of modes) {
      const { hostname, port } = new URL(vendor.server);
      const proxy: CutProxy = await startCutProxy({ host: hostname, port: Number(port) }, passesOn);
      const service = await startFaultyService(vendor, {}, (url) => url.replace(`:${port}/`, `:${proxy.port}/`));
      for (const trial of overTheWire) await runTrial(service, trial, cutLineOf(proxy), `cut ${passesOn ? 'behind' : 'before'} a packet`);
      await service.stop();
      proxy.stop();
    }
  });
});

describeEachVendor('faults of what is beside the database', (vendor) => {
  let bucket: BucketServer;
  let redis: CutProxy;
  let service: FaultyService;

  beforeAll(async () => {
    bucket = await startBucket();
    const { hostname, port } = new URL(redisAddress);
    redis = await startCutProxy({ host: hostname, port: Number(port) });
    service = await startFaultyService(vendor, {
      storageUrl: bucket.url,
      redisUrl: `redis://127.0.0.1:${redis.port}`,
      rateLimit: 100_000,
    });
  });
  afterAll(async () => {
    await service.stop();
    bucket.stop();
    redis.stop();
  });

  it('a bucket that fails once, and one that stays away', async () => {
    await runTrial(service, uploadTrial, lineOf(bucket.faults), 'the bucket fails once');
    const files = await service.direct.sql('select count(*) as many from service_files');
    expect(bucket.objects.size).toBe(Number(files[0]?.['many']));
    await runTrial(service, uploadTrial, lineOf(bucket.faults, true), 'the bucket stays away');
  });

  it('a Redis whose connection is cut', async () => {
    for (const trial of [firstLoginTrial, uploadTrial]) await runTrial(service, trial, cutLineOf(redis), 'Redis is cut');
  });
});
