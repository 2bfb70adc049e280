// Passkeys and the own account in Studio, with the authenticator that Chromium has for tests. The service has no PUBLIC_URL: this is how people try it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage } from './open-studio.js';

const [vendor] = inject('vendors');

/** A device of its own, which verifies its user and answers a page that asks by itself. */
async function addDevice(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
}

/** Passkeys are asked for by the button only. */
const offerNothing = (page: Page): Promise<unknown> =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false;');

const expectNoBarriers = async (page: Page): Promise<void> => expect(await findBarriers(page)).toEqual([]);

describe.runIf(inject('browser') !== null && vendor !== undefined)('passkeys in Studio', () => {
  let browser: Browser;
  let service: TestService;
  let address: string;

  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    const port = await freePort();
    address = `http://localhost:${port}`;
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { demo: true, area: 'studio-passkeys', config: { port } }),
    ]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const openAt = (options: Parameters<typeof openStudio>[2] = {}): Promise<StudioPage> =>
    openStudio(browser, { ...service, url: address }, options);

  const makeMember = (): Promise<Person> =>
    makePerson(service, [
      {
        app_access: true,
        permissions: [
          { collection: 'books', action: 'read' },
          {
            collection: 'service_users',
            action: 'update',
            permissions: { id: { _eq: '$CURRENT_USER' } },
            fields: ['first_name', 'password'],
          },
        ],
      },
    ]);

  const signInAs = async (page: Page, { email, password }: Person, place: string): Promise<void> => {
    await page.goto(address + place);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  const addPasskey = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(`The passkey “${name}” is added`).waitFor();
  };

  it('are added to the own account, sign in without a name, and are removed', async () => {
    const person = await makeMember();
    const studio = await openAt();
    const { page } = studio;
    await offerNothing(page);
    await addDevice(page);
    await signInAs(page, person, '/admin/me');
    await addPasskey(page, 'My laptop');
    await expectNoBarriers(page);
    const part = page.getByRole('region', { name: 'Passkeys' });
    await part.getByRole('button', { name: 'Rename the passkey My laptop' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await part.getByText('Old laptop').waitFor();
    expect((await person.api.get('/users/me/passkeys')).body.data).toMatchObject([{ name: 'Old laptop', last_used: null }]);

    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The account has a field for the address as well.
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await part.getByText('Old laptop').waitFor();
    expect((await person.api.get('/users/me/passkeys')).body.data[0].last_used).not.toBeNull();

    await part.getByRole('button', { name: 'Delete the passkey Old laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await part.getByText('No passkeys yet.').waitFor();
    expect((await person.api.get('/users/me/passkeys')).body.data).toEqual([]);
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here. Sign in another way.').waitFor();
    await page.context().close();
  });

  it('are offered where the browser fills in the address', async () => {
    const person = await makeMember();
    const { page } = await openAt();
    await addDevice(page);
    await signInAs(page, person, '/admin/me');
    await addPasskey(page, 'Phone');
    await page.getByRole('button', { name: /^Account:/ }).click();
    // The device answers the silent offer by itself, as if its owner had chosen the passkey in the field.
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('region', { name: 'Passkeys' }).getByText('· used').waitFor();
    expect((await service.api.get(`/users/${person.id}/passkeys`)).body.data[0].last_used).not.toBeNull();
    await page.context().close();
  });

  it('come first when a session ends that began with one', async () => {
    const person = await makeMember();
    const studio = await openAt();
    const { page } = studio;
    await offerNothing(page);
    await addDevice(page);
    await signInAs(page, person, '/admin/me');
    await addPasskey(page, 'Laptop');
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('region', { name: 'Passkeys' }).waitFor();
    await service.api.post(`/users/${person.id}/sessions/end`);
    await page.getByLabel('First name').fill('Ann');
    await page.getByRole('button', { name: 'Save profile' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await dialog.getByLabel('Password', { exact: true }).count()).toBe(0);
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Profile saved').waitFor();
    expect((await service.api.get(`/users/${person.id}?fields=first_name`)).body.data).toEqual({ first_name: 'Ann' });
    await page.context().close();
  });

  it('the account shows sessions and ends the others; what may not be changed is greyed out; refusals are shown in place', async () => {
    const person = await makeMember();
    const other = (await service.as(null).post('/auth/login', { email: person.email, password: person.password })).body.data;
    const { page } = await openAt({ locale: 'en-US' });
    await signInAs(page, person, '/admin/me');
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await sessions.getByText('here', { exact: true }).waitFor();
    expect(await sessions.getByRole('listitem').count()).toBe(2);
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('You are signed in here only').waitFor();
    expect((await service.as(other.access_token).get('/users/me')).status).toBe(401);
    expect(await page.getByLabel('Last name').isDisabled()).toBe(true);
    expect(await page.getByLabel('First name').isDisabled()).toBe(false);

    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up one-time codes' });
    await dialog.getByLabel('Your password, to begin').fill('wrong');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Your password, to begin').fill(person.password);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('One-time code').waitFor();
    await expectNoBarriers(page);
    await dialog.getByLabel('One-time code').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Change password' }).click();
    const change = page.getByRole('dialog', { name: 'Change password' });
    await change.getByLabel('New password').fill('quite another password');
    await change.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Password changed.').waitFor();
    const again = await service.as(null).post('/auth/login', { email: person.email, password: 'quite another password' });
    expect(again.status).toBe(200);
    await page.context().close();
  });

  it('administrators see and remove the passkeys of a person', async () => {
    const person = await makeMember();
    await service.sql(
      `insert into service_passkeys (digest, "user", credential, public_key, counter, name) values ('d${person.id}', '${person.id}', 'c', 'k', 0, 'Lost phone')`,
    );
    const { page } = await openAt();
    await page.goto(`${address}/admin/people/${person.id}`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-battery');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const part = page.getByRole('region', { name: 'Passkeys' });
    await part.getByText('Lost phone').waitFor();
    await expectNoBarriers(page);
    await part.getByRole('button', { name: 'Delete the passkey Lost phone' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The passkey is deleted').waitFor();
    expect((await person.api.get('/users/me/passkeys')).body.data).toEqual([]);
    await page.context().close();
  });
});
