// Plays recorded conversations of Directus against adopted copies of the databases they were recorded on, on every vendor. Nothing may differ
// without a reason, and docs/compatibility.md is what came of it: `npx vitest run --project service test/e2e/compatibility.test.ts -u` writes
// it anew.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, createService } from '../../src/tain.js';
import { describeCompatibility, type Played, type PlayedAnswer } from '../harness/compatibility-page.js';
import { reasons } from '../harness/deliberate-differences.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { type DirectusProject, projectScript, readProject, writeUploads } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { differences, type Line, openPlayer, toRecordedForm } from '../harness/recorded-answers.js';
import { inTurns } from '../harness/sweep-targets.js';
import { createDatabase, type Vendor } from '../harness/vendors.js';

/** Of a thousand requests at most ten may be answered otherwise without a reason that is no bug; none is. */
const leastAlike = 0.99;

const uploads = mkdtempSync(join(tmpdir(), 'tain_test_uploads_'));
const runs: Played[] = [];

async function play(vendor: Vendor, project: DirectusProject): Promise<Played> {
  const database = await createDatabase(vendor, 'compat');
  const direct = await openDirectAccess(vendor, database.url);
  await direct.sql(projectScript(project, vendor.name));
  await direct.close();
  const storageRoot = mkdtempSync(join(uploads, 'run_'));
  writeUploads(project, storageRoot);
  const config = readConfig({}, { databaseUrl: database.url, storageRoot, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });
  await adoptDatabase(config, false);
  const service = await createService(config);
  try {
    const url = await service.listen();
    await service.ready();
    return await playAll(vendor, url, project);
  } finally {
    await service.close();
    await database.drop();
  }
}

async function playAll(vendor: Vendor, url: string, { recorded }: DirectusProject): Promise<Played> {
  const [head, ...lines] = recorded;
  const since = Date.now() - 1000;
  const ask = openPlayer(url, recorded);
  const playOne = async ({ n, step, answer: was }: Line): Promise<PlayedAnswer> => {
    const is = toRecordedForm(await ask(step), step, since);
    const found = [...differences(was, is)].map((difference) => ({ ...difference, vendor: vendor.name, step, answered: { was, is } }));
    return {
      n,
      step,
      answered: was,
      differences: found.map((one) => ({ ...one, reason: reasons.find(({ applies }) => applies(one)) ?? null })),
    };
  };
  // The recordings begin with reads, which do not depend on one another.
  const firstWrite = lines.findIndex(({ step }) => step.write === true);
  const answers = [...(await inTurns(lines.slice(0, firstWrite).map((line) => async () => [await playOne(line)])))];
  for (const line of lines.slice(firstWrite)) answers.push(await playOne(line));
  return { peer: head.peer, vendor: vendor.name, answers };
}

afterAll(() => rmSync(uploads, { recursive: true, force: true }));

it.each([11, 12] as const)('version %i answers alike on every vendor, but for what is meant', { timeout: 600_000 }, async (version) => {
  const played = await Promise.all(inject('vendors').map((vendor) => play(vendor, readProject(version))));
  runs.push(...played);
  for (const { vendor, answers } of played) {
    const unexplained = answers.filter(({ differences: found }) => found.some(({ reason }) => reason === null));
    const shown = unexplained.map(({ n, step, differences: found }) => {
      const [first] = found.filter(({ reason }) => reason === null);
      return `#${n} ${step.name} as ${step.as}: ${first?.path} ${JSON.stringify(first?.was)?.slice(0, 200)} → ${JSON.stringify(first?.is)?.slice(0, 200)}`;
    });
    expect.soft(shown, `${vendor}, version ${version}`).toEqual([]);
    expect.soft(1 - unexplained.length / answers.length).toBeGreaterThanOrEqual(leastAlike);
  }
});

it('is what the page says', async () => {
  // The page has a row for every vendor: where one is missing, there is nothing to compare it with.
  if (inject('missingVendors').length === 0 && inject('vendors').length === 3)
    await expect(describeCompatibility(runs)).toMatchFileSnapshot('../../docs/compatibility.md');
});
