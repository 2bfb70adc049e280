// The diagram of 400 tables: drawn under the strict content policy, narrowed by name and to neighbours, walked through by keyboard, exported as SVG.

import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

/** Each tenth table is referred to by the nine behind it, and the first one by every fortieth. */
const tables = Array.from({ length: 400 }, (_, index) => {
  const hub = index - (index % 10);
  const reference = index === hub ? '' : `, parent integer references table_${hub} (id)`;
  const root = index > 0 && index % 40 === 0 ? ', root integer references table_0 (id)' : '';
  return `create table table_${index} (id integer primary key, name varchar(50)${reference}${root})`;
});
const lines = 40 * 9 + 9;

describe.runIf(inject('browser') !== null && vendor !== undefined)('the diagram of 400 tables', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { area: 'studio-diagram', fixture: tables.join(';\n') }),
    ]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('is narrowed by name and to one collection with its neighbours, and opens a collection by a click', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const boxes = page.locator('[data-ready=true] .diagram-box');
    const drawn = (count: number) => expect.poll(() => boxes.count()).toBe(count);
    await signIn(studio, service, '/admin/model');
    await page.getByRole('link', { name: 'Diagram' }).click();
    await page.getByText(`400 collections, ${lines} relations`).waitFor();
    await drawn(400);
    expect(await page.locator('.diagram-edge').count()).toBe(lines);
    expect(await findBarriers(page)).toEqual([]);
    // No box lies over another one.
    const overlaps = await page.evaluate(`(() => {
      const frames = [...document.querySelectorAll('.diagram-box .frame')].map((frame) => frame.getBoundingClientRect());
      return frames.filter((one, index) => frames.slice(index + 1).some((other) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
    })()`);
    expect(overlaps).toBe(0);

    await page.getByRole('main').getByRole('searchbox', { name: 'Find a collection' }).fill('table_39');
    await drawn(11);
    await page.getByRole('button', { name: /^Table 390 / }).click();
    await page.waitForURL(/center=table_390/);
    await drawn(10);
    await page.getByText('10 collections, 9 relations').waitFor();
    await page.getByRole('button', { name: '← Table 395 by parent' }).click();
    await page.waitForURL(/center=table_395/);
    await drawn(2);
    await page.getByLabel('How far from the collection').selectOption('2');
    await drawn(10);
    // The address says all of it.
    await page.reload();
    await drawn(10);
    await page.goBack();
    await drawn(2);

    await page.locator('.diagram-box', { hasText: 'Table 390' }).locator('.title').click();
    await page.getByRole('heading', { level: 1, name: 'Table 390' }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('is walked through by keyboard alone, moved and zoomed', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model/diagram?find=table_39');
    const hub = page.getByRole('button', { name: /^Table 390 / });
    await hub.focus();
    await page.keyboard.press('Enter');
    await page.getByText('10 collections, 9 relations').waitFor();
    expect(await hub.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('← Table 391 by parent');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'parent → Table 390' }).waitFor();

    const canvas = page.getByRole('region', { name: /^Drawing of the structure/ });
    await page.locator('[data-ready=true] .diagram-box').first().waitFor();
    const view = () => page.locator('.diagram > g').getAttribute('transform');
    const before = await view();
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(view).not.toBe(before);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(view).toBe(before);
    await page.keyboard.press('+');
    await expect.poll(view).not.toBe(before);
    await page.keyboard.press('0');
    await expect.poll(view).toBe(before);
    await page.getByRole('link', { name: 'Open the model of Table 391' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Table 391' }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('is exported as a self-contained SVG', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model/diagram');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SVG' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('diagram.svg');
    const svg = await readFile(await file.path(), 'utf8');
    expect(svg.startsWith('<svg')).toBe(true);
    expect(svg.match(/<text[^>]*>Table \d+<\/text>/g)).toHaveLength(400);
    expect(svg).not.toMatch(/class=|var\(|style=/);
    // A browser shows it by itself.
    const shown = await page.context().newPage();
    await shown.goto(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
    expect(await shown.evaluate("document.documentElement.tagName + ' ' + document.querySelectorAll('path').length")).toBe(`svg ${lines}`);
    studio.expectQuiet();
    await studio.close();
  });
});
