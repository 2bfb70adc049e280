// The non-interference test, in the size its caller asks for.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, type StorageFolder } from '../harness/upload.js';
import { nothingAnswered, playWorld } from './play-secret-worlds.js';

const seed = Number(process.env['TAIN_SEED'] ?? 20261115);

export function testNonInterference({ worlds, requestsPerWorld }: { readonly worlds: number; readonly requestsPerWorld: number }): void {
  describeEachVendor('answers do not depend on what the caller may not see', (vendor) => {
    let services: readonly TestService[] = [];
    let folders: readonly StorageFolder[] = [];
    const answered = nothingAnswered();

    beforeAll(async () => {
      folders = [makeStorageFolder(), makeStorageFolder()];
      services = await Promise.all(
        folders.map(({ root }, side) =>
          // Equal secrets: what is signed or keyed is then equal on both sides unless it depends on what is hidden.
          startService(vendor, {
            area: `secret_${side}`,
            config: { storageRoot: root, secret: 'the same secret on both sides of the mirror' },
          }),
        ),
      );
    });

    afterAll(async () => {
      await Promise.all(services.map((service) => service.stop()));
      for (const folder of folders) folder.remove();
    });

    test.each(Array.from({ length: worlds }, (_, index) => index))(
      `world %i, ${requestsPerWorld} pairs of requests`,
      (index) => playWorld(services, seed, index, requestsPerWorld, answered),
      300_000,
    );

    test('enough of every kind was answered to prove something', () => {
      const pairs = worlds * requestsPerWorld;
      expect(answered.read).toBeGreaterThan(pairs / 30);
      expect(answered.document).toBeGreaterThan(pairs / 40);
      for (const kind of ['system', 'version', 'write'] as const) expect(answered[kind], kind).toBeGreaterThan(pairs / 100);
      expect(answered.asset).toBeGreaterThan(pairs / 400);
    });
  });
}
