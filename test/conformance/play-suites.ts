// Every suite on one vendor: one block per suite, one test per step.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import type { Vendor, VendorName } from '../harness/vendors.js';
import { type EchoServer, startEchoServer } from './echo-server.js';
import { nameOf, Player } from './player.js';
import { allSuites, aloneAndLast, disputes, judgedSteps, type Step, type Suite, suitesToPlay } from './suite.js';

export function playSuites(name: VendorName): void {
  const vendor = inject('vendors').find((candidate) => candidate.name === name);
  playOn(name, vendor === undefined ? null : async () => vendor);
}

/** Plays the suites, all or those whose file begins so, on a server that is found when they begin; null: there is none. */
export function playOn(name: string, find: (() => Promise<Vendor>) | null, begin = ''): void {
  const suites = suitesToPlay().filter(({ file }) => file.startsWith(begin));
  const groups = [suites.filter(({ file }) => file !== aloneAndLast), suites.filter(({ file }) => file === aloneAndLast)];
  it('disputes only steps that exist', () => {
    const unknown = disputes.filter(
      ({ suite, step }) => !allSuites.some((each) => each.file === suite && judgedSteps(each).some((entry) => nameOf(entry.step) === step)),
    );
    expect(unknown).toEqual([]);
  });
  for (const group of groups.filter((entries) => find !== null && entries.length > 0)) {
    describe(`conformance (${name})`, () => {
      let service: TestService;
      beforeAll(async () => {
        if (find !== null) service = await startService(await find(), { area: 'conformance', config: { importAllow: ['127.0.0.1'] } });
      });
      afterAll(() => service?.stop());
      for (const suite of group) describe(suite.name, () => playSuite(suite, () => service));
    });
  }
}

function playSuite(suite: Suite, service: () => TestService): void {
  let player: Player;
  let unplayable: string | null = null;
  let echo: EchoServer | null = null;
  beforeAll(async () => {
    echo = JSON.stringify(suite).includes('{{echo}}') ? await startEchoServer() : null;
    player = new Player(service(), await logIn(service()), echo?.url ?? null);
    unplayable = await player.setUp(suite.setup ?? []);
  });
  afterAll(async () => {
    await player?.tearDown(suite.teardown ?? []);
    await echo?.close();
  });
  for (const { step, before } of judgedSteps(suite)) {
    it(nameOf(step), async () => {
      for (const each of before) unplayable ??= await player.prepare(each);
      await judge(suite, step, unplayable ?? (await player.play(step)));
    });
  }
}

function judge(suite: Suite, step: Step, difference: string | null): void {
  const dispute = disputes.find((entry) => entry.suite === suite.file && entry.step === nameOf(step));
  if (dispute === undefined) expect(difference).toBeNull();
  else {
    console.log(`disputed: ${suite.file} › ${nameOf(step)}: ${dispute.why}`);
    expect(difference, 'no longer fails: take it out of disputed.json').not.toBeNull();
  }
}

async function logIn(service: TestService): Promise<string> {
  const answer = await service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword });
  if (answer.status !== 200) throw new Error(`cannot log in: ${answer.status} ${answer.text}`);
  return answer.body.data.access_token;
}
