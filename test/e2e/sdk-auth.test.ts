// The client package logs in, stays logged in and manages who may do what.

import * as sdk from '@directus/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminClient, makeCookieJar } from '../harness/sdk-client.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';

interface Note {
  id: number;
  text: string;
  secret: string | null;
}

interface Notes {
  notes: Note[];
}

const fixture =
  "create table notes (id integer primary key, text varchar(50) not null, secret varchar(50)); insert into notes values (1, 'first', 'x')";
const me = [adminEmail, adminPassword] as const;

describeEachVendor('the client: accounts', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'sdk_auth', fixture });
  });
  afterAll(() => service.stop());

  it('logs in by json, refreshes and logs out', async () => {
    const client = sdk
      .createDirectus<Notes>(service.url)
      .with(sdk.authentication('json', { autoRefresh: false }))
      .with(sdk.rest());
    const first = await client.login(...me);
    expect(first).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String), expires: 900_000 });
    expect((await client.request(sdk.readMe({ fields: ['email'] }))).email).toBe(adminEmail);
    const second = await client.refresh();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await client.request(sdk.readItems('notes'))).toHaveLength(1);
    await client.logout();
    await expect(client.request(sdk.readItems('notes'))).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    await expect(client.login(adminEmail, 'wrong')).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
    });
  });

  it.each(['cookie', 'session'] as const)('logs in by %s', async (mode) => {
    const jar = makeCookieJar();
    const client = sdk
      .createDirectus<Notes>(service.url, { globals: { fetch: jar.fetch } })
      .with(sdk.authentication(mode, { autoRefresh: false, credentials: 'include' }))
      .with(sdk.rest({ credentials: 'include' }));
    const tokens = await client.login(...me);
    expect(tokens.refresh_token).toBeFalsy();
    expect(jar.names()).toEqual([mode === 'session' ? 'service_session_token' : 'service_refresh_token']);
    expect(await client.request(sdk.readItems('notes'))).toHaveLength(1);
    await client.refresh();
    expect(await client.request(sdk.readItems('notes'))).toHaveLength(1);
    await client.logout();
    expect(jar.names()).toEqual([]);
    await expect(client.request(sdk.readItems('notes'))).rejects.toBeTruthy();
  });

  it('makes roles, policies, permissions and users, and the user sees what they allow', async () => {
    const admin = adminClient<Notes>(service);
    const role = await admin.request(sdk.createRole({ name: 'Reader' }));
    const policy = await admin.request(sdk.createPolicy({ name: 'May read' }));
    await admin.request(
      sdk.createPermission({ policy: policy.id, collection: 'notes', action: 'read', fields: ['id', 'text'], permissions: {} }),
    );
    await admin.request(sdk.updateRole(role.id, { policies: [{ policy: policy.id }] as never }));
    const user = await admin.request(
      sdk.createUser({ email: 'reader@example.com', password: 'a-reader-reads', role: role.id, token: 'reader-token' }),
    );
    expect(user.password).toMatch(/^\*+$/);

    const reader = sdk.createDirectus<Notes>(service.url).with(sdk.staticToken('reader-token')).with(sdk.rest());
    expect(await reader.request(sdk.readItems('notes'))).toEqual([{ id: 1, text: 'first' }]);
    await expect(reader.request(sdk.readItems('notes', { fields: ['secret'] }))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    await expect(reader.request(sdk.createItem('notes', { text: 'x' }))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
    expect(await reader.request(sdk.readUserPermissions())).toMatchObject({ notes: { read: { access: 'full', fields: ['id', 'text'] } } });

    expect(
      await admin.request(
        sdk.readUsers({ filter: { role: { name: { _eq: 'Reader' } } } as never, fields: ['email', { role: ['name'] }] as never }),
      ),
    ).toEqual([{ email: 'reader@example.com', role: { name: 'Reader' } }]);
    expect(
      (await admin.request(sdk.readPermissions({ filter: { policy: { _eq: policy.id } } }))).map(({ collection }) => collection),
    ).toEqual(['notes']);
    expect(await admin.request(sdk.readPolicy(policy.id, { fields: ['name'] }))).toEqual({ name: 'May read' });
    await admin.request(sdk.updateUser(user.id, { status: 'suspended' }));
    await expect(reader.request(sdk.readItems('notes'))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
    });
    await admin.request(sdk.deleteUser(user.id));
    await admin.request(sdk.deletePolicy(policy.id));
    await admin.request(sdk.deleteRole(role.id));
    expect(await admin.request(sdk.readRoles({ filter: { name: { _eq: 'Reader' } } }))).toEqual([]);
  });
});
