// The client package and the resources around items: versions, shares, the own account, and what is kept for people who work together.

import * as sdk from '@directus/sdk';
import { authenticator } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { waitFor } from '../harness/run-command.js';
import { adminClient } from '../harness/sdk-client.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeStorageFolder, type StorageFolder } from '../harness/upload.js';

interface Task {
  id: number;
  name: string;
  tags: string[] | TaskTag[];
}

interface TaskTag {
  id: string;
  task: number | Task | null;
  tag: string | Tag | null;
}

interface Tag {
  id: string;
  name: string | null;
}

interface Tasks {
  tasks: Task[];
  tags: Tag[];
  task_tags: TaskTag[];
}

const fixture = `
  create table tasks (id integer primary key, name varchar(50) not null);
  create table tags (id varchar(9) primary key, name varchar(50));
  create table task_tags (id varchar(9) primary key, task integer, tag varchar(9),
    foreign key (task) references tasks (id), foreign key (tag) references tags (id));
  insert into tasks values (1, 'a'), (2, 'b');
  insert into tags values ('h', 'home'), ('w', 'work');
  insert into task_tags values ('1h', 1, 'h'), ('1w', 1, 'w');
`;

describeEachVendor('the client: resources', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;
  let mail: MailBox;
  let client: ReturnType<typeof adminClient<Tasks>>;

  beforeAll(async () => {
    [folder, mail] = [makeStorageFolder(), await openMailBox()];
    service = await startService(vendor, { area: 'sdk_resources', fixture, config: { storageRoot: folder.root, mailUrl: mail.url } });
    client = adminClient<Tasks>(service);
    await client.request(sdk.createField('tasks', { field: 'tags', type: 'alias', meta: { special: ['m2m'] } } as never));
    const legs = [
      ['task', 'tag', { one_field: 'tags' }],
      ['tag', 'task', {}],
    ] as const;
    for (const [field, junction, meta] of legs)
      await client.request(sdk.updateRelation('task_tags', field, { meta: { junction_field: junction, ...meta } } as never));
    await client.request(sdk.updateCollection('tasks', { meta: { versioning: true } } as never));
  });
  afterAll(async () => {
    await service.stop();
    await mail.close();
    folder.remove();
  });

  it('reads and writes through a many-to-many', async () => {
    const read = () =>
      client.request(sdk.readItem('tasks', 1, { fields: [{ tags: [{ tag: ['name'] }] }], deep: { tags: { _sort: ['id'] } } }));
    expect(await read()).toEqual({ tags: [{ tag: { name: 'home' } }, { tag: { name: 'work' } }] });
    await client.request(
      sdk.updateItem('tasks', 1, { tags: { create: [{ id: '1n', tag: { id: 'n', name: 'new' } }], update: [], delete: ['1w'] } as never }),
    );
    expect(await read()).toEqual({ tags: [{ tag: { name: 'home' } }, { tag: { name: 'new' } }] });
    expect(
      await client.request(sdk.readItems('tasks', { filter: { tags: { _some: { tag: { name: { _eq: 'new' } } } } }, fields: ['id'] })),
    ).toEqual([{ id: 1 }]);
  });

  it('keeps versions of items, compares and promotes them', async () => {
    const { id } = await client.request(sdk.createContentVersion({ collection: 'tasks' as never, item: '2', key: 'draft', name: 'Draft' }));
    await client.request(sdk.saveToContentVersion<Tasks, 'tasks'>(id, { name: 'drafted' }));
    expect(await client.request(sdk.readItem('tasks', 2, { version: 'draft', fields: ['name'] }))).toMatchObject({ name: 'drafted' });
    const { mainHash, outdated } = await client.request(sdk.compareContentVersion<Tasks, 'tasks'>(id));
    expect(outdated).toBe(false);
    expect(await client.request(sdk.promoteContentVersion<Tasks, 'tasks'>(id, mainHash))).toBe(2);
    expect(await client.request(sdk.readItem('tasks', 2, { fields: ['name'] }))).toEqual({ name: 'drafted' });
    await client.request(sdk.deleteContentVersion(id));
  });

  it('shares an item by a link', async () => {
    const role = await client.request(sdk.createRole({ name: 'Guests' }));
    const policy = await client.request(sdk.createPolicy({ name: 'What guests see' }));
    await client.request(
      sdk.createPermission({ policy: policy.id, collection: 'tasks', action: 'read', fields: ['id', 'name'], permissions: {} }),
    );
    await client.request(sdk.updateRole(role.id, { policies: [{ policy: policy.id }] as never }));
    const share = await client.request(
      sdk.createShare({ collection: 'tasks' as never, item: '1', role: role.id, password: 'sesame' } as never),
    );
    expect(await client.request(sdk.readShareInfo(share.id))).toMatchObject({ collection: 'tasks', item: '1' });
    const stranger = sdk.createDirectus<Tasks>(service.url).with(sdk.rest());
    await expect(stranger.request(sdk.authenticateShare(share.id, 'wrong'))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
    });
    const { access_token: token } = await stranger.request(sdk.authenticateShare(share.id, 'sesame'));
    const guest = sdk
      .createDirectus<Tasks>(service.url)
      .with(sdk.staticToken(token ?? ''))
      .with(sdk.rest());
    expect(await guest.request(sdk.readItems('tasks'))).toEqual([{ id: 1, name: 'a' }]);
    await client.request(sdk.inviteShare(share.id, ['friend@example.com']));
    expect((await mail.next('friend@example.com')).text).toContain(`/admin/shared/${share.id}`);
  });

  it('looks after the own account, its second factor included', async () => {
    expect(await client.request(sdk.updateMe({ first_name: 'Ada' }, { fields: ['first_name'] }))).toEqual({ first_name: 'Ada' });
    expect(await client.request(sdk.readRolesMe({ fields: ['name'] }))).toEqual([{ name: 'Administrator' }]);
    expect(await client.request(sdk.readPolicyGlobals())).toMatchObject({ admin_access: true, enforce_tfa: false });
    expect(await client.request(sdk.readItemPermissions('tasks', 1))).toMatchObject({ update: { access: true } });
    expect(await client.request(sdk.readProviders())).toEqual([]);
    const { secret } = await client.request(sdk.generateTwoFactorSecret(adminPassword));
    await client.request(sdk.enableTwoFactor(secret, authenticator.generate(secret)));
    const other = sdk.createDirectus<Tasks>(service.url).with(sdk.authentication('json', { autoRefresh: false }));
    await expect(other.login(adminEmail, adminPassword)).rejects.toMatchObject({ errors: [{ extensions: { code: 'INVALID_OTP' } }] });
    const { id } = await client.request(sdk.readMe({ fields: ['id'] }));
    await client.request(sdk.customEndpoint({ path: `/users/${id}/tfa/disable`, method: 'POST' }));
    expect((await other.login(adminEmail, adminPassword)).access_token).toEqual(expect.any(String));
  });

  it('invites a user, who accepts; and sets a new password by letter', async () => {
    const { id: role } = await client.request(sdk.createRole({ name: 'Invited' }));
    await client.request(sdk.inviteUser('guest@example.com', role));
    const tokenIn = async (): Promise<string> => /token=([\w.-]+)/.exec((await mail.next('guest@example.com')).text)?.[1] ?? '';
    const stranger = sdk
      .createDirectus<Tasks>(service.url)
      .with(sdk.authentication('json', { autoRefresh: false }))
      .with(sdk.rest());
    await stranger.request(sdk.acceptUserInvite(await tokenIn(), 'first password'));
    await stranger.login('guest@example.com', 'first password');
    await stranger.request(sdk.passwordRequest('guest@example.com'));
    await stranger.request(sdk.passwordReset(await tokenIn(), 'second password'));
    expect((await stranger.login('guest@example.com', 'second password')).access_token).toEqual(expect.any(String));
  });

  it('imports items from a file and exports them into one', async () => {
    const csv = makeForm([{ name: 'tags.csv', type: 'text/csv', bytes: 'id,name\ni,imported\n' }]);
    await client.request(sdk.utilsImport('tags', csv));
    expect(await client.request(sdk.readItem('tags', 'i', { fields: ['name'] }))).toEqual({ name: 'imported' });
    await client.request(sdk.utilsExport('tags', 'json', { filter: { id: { _eq: 'i' } } }, { title: 'Exported' }));
    const [file] = await waitFor(async () => {
      const files = await client.request(sdk.readFiles({ filter: { title: { _eq: 'Exported' } }, fields: ['id'] }));
      return files.length > 0 ? files : null;
    }, 60_000);
    // The client parses JSON before it knows what it was asked for.
    expect((await service.api.get(`/assets/${file?.id}`)).body).toMatchObject([{ id: 'i', name: 'imported' }]);
  });

  it('keeps comments, notifications, presets, folders, dashboards, flows and translations', async () => {
    const { id: me } = await client.request(sdk.readMe({ fields: ['id'] }));
    const comment = await client.request(sdk.createComment({ collection: 'tasks', item: '1', comment: 'First' } as never));
    expect(await client.request(sdk.updateComment(comment.id, { comment: 'Second' } as never))).toMatchObject({ comment: 'Second' });
    const notification = await client.request(sdk.createNotification({ recipient: me, subject: 'Look' } as never));
    expect(await client.request(sdk.readNotification(notification.id, { fields: ['status'] }))).toEqual({ status: 'inbox' });
    const preset = await client.request(sdk.createPreset({ collection: 'tasks', bookmark: 'Mine' } as never));
    expect(await client.request(sdk.updatePreset(preset.id, { bookmark: 'Ours' } as never))).toMatchObject({ bookmark: 'Ours' });
    const folders = await client.request(sdk.createFolders([{ name: 'A' }, { name: 'B' }]));
    await client.request(sdk.deleteFolders(folders.map(({ id }) => id)));
    const dashboard = await client.request(sdk.createDashboard({ name: 'All' }));
    const place = { position_x: 1, position_y: 1, width: 4, height: 4 };
    const panel = await client.request(sdk.createPanel({ dashboard: dashboard.id, type: 'metric', ...place } as never));
    await client.request(sdk.deleteDashboard(dashboard.id));
    await expect(client.request(sdk.readPanel(panel.id))).rejects.toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    const flow = await client.request(sdk.createFlow({ name: 'Flow', trigger: 'manual' } as never));
    await client.request(sdk.createOperation({ flow: flow.id, key: 'log', type: 'log', position_x: 1, position_y: 1 } as never));
    expect(await client.request(sdk.readOperations({ filter: { flow: { _eq: flow.id } } as never, fields: ['key'] }))).toEqual([
      { key: 'log' },
    ]);
    const translation = await client.request(sdk.createTranslation({ key: 'hello', language: 'de-DE', value: 'Hallo' } as never));
    expect(await client.request(sdk.readTranslation(translation.id, { fields: ['value'] }))).toEqual({ value: 'Hallo' });
  });
});
