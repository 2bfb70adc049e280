// The faults of faults.test.ts, with every request, every kind of failure, and every packet of the wire.

import { expect, it } from 'vitest';
import { startCutProxy } from '../harness/cut-proxy.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { restoreStructure, runTrial, trials } from '../harness/fault-trials.js';
import type { Fault } from '../harness/faulty-dialect.js';
import { startFaultyService } from '../harness/faulty-service.js';
import { reportRow, thousands } from '../harness/heavy-run.js';
import { makeStorageFolder } from '../harness/upload.js';

const faults: readonly Fault[] = [
  ...(['unavailable', 'timeout', 'cancelled', 'full', 'read-only', 'retry', 'deadlock', 'other'] as const).map(
    (kind): Fault => ({ kind, when: 'before' }),
  ),
  ...(['unavailable', 'timeout', 'other'] as const).map((kind): Fault => ({ kind, when: 'after' })),
];

describeEachVendor('faults of every call', (vendor) => {
  it('leave nothing half done', { timeout: 3_600_000 }, async () => {
    const folder = makeStorageFolder();
    const service = await startFaultyService(vendor, { storageRoot: folder.root });
    const snapshot = (await service.inject({ url: '/schema/snapshot' })).json().data;
    let struck = 0;
    for (const fault of faults)
      for (const trial of trials) {
        const line = { arm: (at: number) => service.faults.arm(at, fault), disarm: () => service.faults.disarm() };
        struck += (await runTrial(service, trial, line, `${fault.kind} ${fault.when}`)).faults;
        if (trial.structure === true) await restoreStructure(service, snapshot);
      }
    const files = await service.direct.sql('select count(*) as many from service_files');
    expect(folder.list().length).toBe(Number(files[0]?.['many']));
    await service.stop();
    folder.remove();
    const done = `${trials.length} requests, ${faults.length} kinds of failure, each call: ${thousands(struck)} faults`;
    reportRow('fault at every call', vendor.name, done, 'no wrong answer, nothing by halves, no lost connection');
  });

  it.runIf(vendor.name !== 'sqlite')('over the wire', { timeout: 3_600_000 }, async () => {
    let struck = 0;
    for (const passesOn of [false, true]) {
      const { hostname, port } = new URL(vendor.server);
      const proxy = await startCutProxy({ host: hostname, port: Number(port) }, passesOn);
      const service = await startFaultyService(vendor, {}, (url) => url.replace(`:${port}/`, `:${proxy.port}/`));
      const line = {
        isBlind: true,
        arm: (at: number) => proxy.faults.arm(at),
        async disarm() {
          const struck = proxy.faults.disarm();
          await proxy.settled();
          return { struck, committed: true };
        },
      };
      const snapshot = (await service.inject({ url: '/schema/snapshot' })).json().data;
      for (const trial of trials.filter(({ name }) => name !== 'upload')) {
        struck += (await runTrial(service, trial, line, passesOn ? 'cut behind' : 'cut before')).faults;
        if (trial.structure === true) await restoreStructure(service, snapshot);
      }
      await service.stop();
      proxy.stop();
    }
    reportRow('connection cut at every packet', vendor.name, `${thousands(struck)} cuts`, 'nothing by halves, the pool whole after each');
  });
});
