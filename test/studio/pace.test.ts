// What Studio may cost while somebody works in it: a key in a long form, an item that is opened again, and memory over a day of going to and fro.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, launchBrowser, openStudio, signIn } from './open-studio.js';
import { leastTimeMore, metricsOf } from './thread-time.js';

const [vendor] = inject('vendors');
const names = Array.from({ length: 60 }, (_, index) => `field_${index + 1}`);
const fixture = `
  create table forms (id integer primary key, ${names.map((name) => `${name} varchar(100)`).join(', ')});
  insert into forms (id, field_1) values (1, 'One'), (2, 'Two')`;

describe.runIf(inject('browser') !== null && vendor !== undefined)('the pace of Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser({ measures: true }), startService(vendor, { area: 'studio-pace', fixture })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('holds for keys in a form of sixty fields', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/forms/1');
    const field = page.getByLabel('Field 30', { exact: true });
    await field.waitFor();
    const session = await page.context().newCDPSession(page);
    const keys = 25;
    await field.focus();
    const time = await leastTimeMore(session, keys * 0.008, () => page.keyboard.type('x'.repeat(keys)));
    expect(time / keys).toBeLessThan(0.008);
    studio.expectQuiet();
    await page.context().close();
  });

  it('holds for the memory of fifty ways to an item and back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/forms');
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const go = async (place: string, seen: () => Promise<void>) => {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(place)})`);
      await seen();
    };
    const there = () => page.getByLabel('Field 1', { exact: true }).waitFor();
    const back = () => page.getByText('2 items').waitFor();
    const toAndFro = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        await go(`/admin/c/forms/${(count % 2) + 1}`, there);
        await go('/admin/c/forms', back);
      }
    };
    const heap = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await metricsOf(session))['JSHeapUsedSize'] ?? Number.POSITIVE_INFINITY;
    };
    // What is loaded when first needed, and what is kept to be shown at once, is there before.
    await toAndFro(5);
    const before = await heap();
    await toAndFro(25);
    expect((await heap()) - before).toBeLessThan(5_000_000);
    studio.expectQuiet();
    await page.context().close();
  });
});
