// kill -9 at ten points of an adoption: started again, it ends as if nothing had happened, and no table of Directus has changed.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { releaseDatabase } from '../../src/tain.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { createDatabase } from '../harness/vendors.js';

const script = fileURLToPath(new URL('../harness/adopt-until-killed.ts', import.meta.url));
const points = 10;

interface Ended {
  readonly by: number | NodeJS.Signals | null;
  readonly output: string;
}

const run = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.once('close', (code, signal) => resolve({ by: code ?? signal, output }));
  });

describeEachVendor('an adoption', (vendor) => {
  it('ends the same wherever it was killed', async () => {
    const database = await createDatabase(vendor, 'adoptkill');
    const direct = await openDirectAccess(vendor, database.url);
    const config = readConfig({}, { databaseUrl: database.url, logLevel: 'error', ...patientConfig });
    /** Names, and the rows of what must not change; times and secrets of the service's own differ from run to run. */
    const look = async () => {
      const sums = await direct.checksums();
      const own = Object.keys(sums).filter((name) => name.startsWith('service_'));
      return { own, theirs: Object.fromEntries(Object.entries(sums).filter(([name]) => !own.includes(name))) };
    };
    try {
      await direct.sql(projectScript(readProject(), vendor.name));
      const before = await look();
      const whole = await run(vendor.name, database.url, '0');
      expect(whole.by).toBe(0);
      const after = await look();
      expect(after.theirs).toEqual(before.theirs);
      for (let point = 0; point < points; point += 1) {
        await releaseDatabase(config);
        const at = 1 + Math.floor((point * (Number(whole.output) - 1)) / (points - 1));
        expect((await run(vendor.name, database.url, String(at))).by, `statement ${at}`).toBe('SIGKILL');
        expect((await look()).theirs).toEqual(before.theirs);
        expect((await run(vendor.name, database.url, '0')).by).toBe(0);
        expect(await look(), `statement ${at}`).toEqual(after);
      }
    } finally {
      await direct.close();
      await database.drop();
    }
  });
});
