// The file library: many files dropped at once, one of them too large, one broken on the way; folders, focal point, and use in a form.

import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, coveredByToasts, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  { field: 'name', type: 'string' },
  { field: 'cover', type: 'uuid', meta: { interface: 'file-image', special: ['file'] } },
];

describe.runIf(inject('browser') !== null && vendor !== undefined)('files in Studio', () => {
  let browser: Browser;
  let service: TestService;
  let picture: Buffer;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { area: 'studio-files', config: { uploadLimit: 200_000 } }),
    ]);
    picture = await sharp({ create: { width: 120, height: 80, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer();
    const created = await service.api.post('/collections', { collection: 'albums', schema: {}, meta: {}, fields });
    expect(created.status).toBe(200);
    await service.api.post('/relations', { collection: 'albums', field: 'cover', related_collection: 'service_files' });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;

  it('are dropped twenty at once; one too large is reported at once, one that failed is tried again', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/files');
    await page.getByText('No files yet').waitFor();
    let broken = 0;
    await page.route('**/files?*', async (route) => {
      const isBroken = broken === 0 && route.request().method() === 'POST';
      if (isBroken) broken += 1;
      await (isBroken ? route.abort() : route.continue());
    });
    const names = Array.from({ length: 20 }, (_, index) => `picture-${index + 1}.png`);
    await drop(page, [
      ...names.map((name) => ({ name, bytes: picture.toString('base64') })),
      { name: 'huge.bin', bytes: 'A'.repeat(400_000) },
    ]);
    await page.getByText('This file is too large: the service takes up to 200 kB.').waitFor();
    await page.getByText('19 uploaded, 2 not').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('20 uploaded, 1 not').waitFor();
    expect((await read('/files?fields=filename_download&limit=-1')).length).toBe(20);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear list' }).click();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('Trip');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('button', { name: 'Trip' }).waitFor();
    await page.getByRole('row', { name: 'Picture 3' }).first().hover();
    await page.getByRole('row', { name: 'Picture 3', exact: true }).locator('.tile-check').click();
    await page.getByRole('row', { name: 'Picture 4', exact: true }).locator('.tile-check').click();
    await page.getByText('2 selected').first().waitFor();
    await page.getByRole('button', { name: 'Move to' }).click();
    await page.getByRole('menuitem', { name: 'Trip' }).click();
    await page.getByText('2 files moved').waitFor();
    const [folder] = await read('/folders?fields=id,name');
    expect(folder.name).toBe('Trip');
    expect(
      (await read(`/files?filter[folder][_eq]=${folder.id}&fields=title&sort=title`)).map(({ title }: { title: string }) => title),
    ).toEqual(['Picture 3', 'Picture 4']);
    await page.getByRole('button', { name: 'Trip' }).click();
    await page.getByRole('row', { name: 'Picture 3' }).click();
    const drawer = page.getByRole('dialog');
    const focal = drawer.getByRole('button', { name: 'Focal point' });
    await expect.poll(() => page.evaluate("document.querySelector('.focal img')?.naturalWidth > 0")).toBe(true);
    // Hovering waits until the drawer has stopped moving: while it moves in, its picture has another width.
    await focal.hover();
    const box = await focal.boundingBox();
    if (box === null) throw new Error('the picture is not shown');
    await focal.click({ position: { x: box.width / 4, y: box.height / 2 } });
    await drawer.getByLabel('Title').fill('The beach');
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const [stored] = await read('/files?filter[title][_eq]=The beach&fields=focal_point_x,focal_point_y');
    expect(stored).toEqual({ focal_point_x: 30, focal_point_y: 40 });
    await studio.close();
  });

  it('keep their names, and a file shows no uploads of others', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/files');
    const content = { mimeType: 'text/plain', buffer: Buffer.from('a') };
    await page.locator('input[type=file]').setInputFiles([{ name: 'a "quoted" name.txt', ...content }]);
    await page.getByText('1 file uploaded').waitFor();
    const [file] = await read('/files?filter[filename_download][_contains]=quoted&fields=id,filename_download');
    expect(file.filename_download).toBe('a "quoted" name.txt');
    const list = page.getByRole('region', { name: 'Uploads' });
    await list.waitFor();
    await page.getByRole('row', { name: /quoted/ }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Title').fill('Renamed');
    expect(await drawer.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Save' }).click();
    const toast = page.locator('.toast');
    await toast.waitFor();
    // Beside the drawer, not over it.
    const [one, other] = [await toast.boundingBox(), await drawer.boundingBox()];
    expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThanOrEqual(other?.x ?? 0);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await coveredByToasts(page)).toEqual([]);
    await studio.close();
  });

  it('are chosen in a form, and stored with the item', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'chosen.png');
    await service.api.request('POST', '/files', { raw: form });
    const addresses: string[] = [];
    page.on('request', (request) => request.url().includes('/assets/') && addresses.push(request.url()));
    await signIn(studio, service, '/admin/c/albums/+');
    await page.getByLabel('Name').fill('Summer');
    await page.getByRole('button', { name: 'Cover' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row', { name: 'Chosen' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('row', { name: 'Chosen' }).click();
    await page.getByRole('button', { name: 'Cover Chosen' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/albums\/\d+$/);
    expect(await read('/items/albums?fields=name,cover.title')).toEqual([{ name: 'Summer', cover: { title: 'Chosen' } }]);
    await page.getByRole('button', { name: 'Cover Chosen' }).waitFor();
    // The stored item says of its file what a title needs, and not when it was changed.
    page.once('framenavigated', () => {
      addresses.length = 0;
    });
    await page.reload();
    await expect.poll(() => addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => address.includes('NaN'))).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });
});

interface Dropped {
  readonly name: string;
  /** Base64. */
  readonly bytes: string;
}

/** Drops files on the library as a file manager does. */
async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of ${JSON.stringify(files)}) {
      const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], name, { type: name.endsWith('.png') ? 'image/png' : 'application/octet-stream' }));
    }
    return transfer;
  })()`);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('.drop-area', type, { dataTransfer: data });
}
