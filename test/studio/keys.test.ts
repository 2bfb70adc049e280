// Access keys in Studio: people make and revoke their own, and administrators see those of everybody.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('access keys in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-keys', demo: true })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const makeMember = () =>
    makePerson(
      service,
      [
        {
          app_access: true,
          permissions: [
            { collection: 'books', action: 'read' },
            { collection: 'authors', action: 'read' },
          ],
        },
      ],
      { first_name: 'Mia', last_name: 'Member' },
    );

  it('are made for less than one may, shown once, and revoked', async () => {
    const member = await makeMember();
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/me', member);
    const part = page.getByRole('region', { name: 'Access keys' });
    await part.getByText('No access keys yet.').waitFor();
    await part.getByRole('button', { name: 'Make an access key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make an access key' });
    await dialog.getByLabel('Name', { exact: true }).fill('assistant');
    await dialog.getByLabel('Only these collections').selectOption(['books']);
    await dialog.getByLabel('Only from these addresses').fill('127.0.0.1, ::1');
    await dialog.getByLabel('Last day').fill('2099-12-31');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    const token = await part.getByLabel('The new key').inputValue();
    const key = service.as(token);
    expect((await key.get('/items/books?fields=id&limit=1')).status).toBe(200);
    expect(codeOf(await key.get('/items/authors'))).toBe('403 FORBIDDEN');
    expect((await member.api.get('/users/me/keys')).body.data).toMatchObject([
      {
        name: 'assistant',
        write: false,
        collections: ['books'],
        addresses: ['127.0.0.1', '::1'],
        expires: expect.stringMatching(/^(?:2099|2100)-/),
      },
    ]);
    await part.getByText(`…${token.slice(-4)}`).waitFor();
    await part.getByText('reading only · only in Books · only from 127.0.0.1, ::1').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await part.getByRole('button', { name: 'Done' }).click();
    await part.getByLabel('The new key').waitFor({ state: 'detached' });

    await part.getByRole('button', { name: 'Revoke the key assistant' }).click();
    await page.getByRole('alertdialog', { name: 'Revoke the key “assistant”?' }).getByRole('button', { name: 'Revoke' }).click();
    await part.getByText('No access keys yet.').waitFor();
    expect(codeOf(await key.get('/items/books'))).toBe('401 INVALID_CREDENTIALS');
    studio.expectQuiet();
    await studio.close();
  });

  it('of everybody are seen and revoked by administrators, in the dark and on a phone as well', async () => {
    const member = await makeMember();
    const made = await member.api.post('/users/me/keys', { name: 'importer', write: true, password: member.password });
    expect(made.status).toBe(200);
    const studio = await openStudio(browser, service, { colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const { page } = studio;
    await signIn(studio, service, '/admin/keys');
    const part = page.getByRole('region', { name: 'Access keys' });
    await part.getByText('reading and writing').waitFor();
    await part.getByRole('link', { name: 'Mia Member' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await part.getByRole('button', { name: 'Revoke the key importer' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await part.getByText('Nobody has an access key.').waitFor();
    expect(codeOf(await service.as(made.body.data.token).get('/items/books'))).toBe('401 INVALID_CREDENTIALS');
    studio.expectQuiet();
    await studio.close();
  });
});
