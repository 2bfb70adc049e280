// A database that Directus made is used in place: its tables are the system tables, nothing in them changes by adopting and reading, its
// users sign in as before, and it can be given back.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { authenticator } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { parseLocation } from '../../src/dialects/sqlite/index.js';
import { adoptDatabase, type Config, createService, releaseDatabase, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { startService } from '../harness/start-service.js';
import { makeForm } from '../harness/upload.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const project = readProject();
const editorToken = 'editor-static-token-of-the-magazine';
const secondFactor = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

const configOf = (databaseUrl: string): Config =>
  readConfig({}, { databaseUrl, port: 0, logLevel: 'error', rateLimit: null, ...patientConfig });

interface Opened {
  readonly database: TestDatabase;
  readonly direct: DirectAccess;
  close(): Promise<void>;
}

async function openProject(vendor: Vendor, script = projectScript(project, vendor.name)): Promise<Opened> {
  const database = await createDatabase(vendor, 'adopt');
  const direct = await openDirectAccess(vendor, database.url);
  await direct.sql(script);
  return {
    database,
    direct,
    close: async () => {
      await direct.close();
      await database.drop();
    },
  };
}

/** The tables that are not the service's own. */
const foreign = async ({ direct }: Opened): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(Object.entries(await direct.checksums()).filter(([name]) => !name.startsWith('service_')));

describeEachVendor('an adopted database', (vendor) => {
  let opened: Opened;
  let service: Service;
  let url: string;
  let api: Api;
  let before: Readonly<Record<string, string>>;

  beforeAll(async () => {
    opened = await openProject(vendor);
    before = await foreign(opened);
    await adoptDatabase(configOf(opened.database.url), false);
    service = await createService(configOf(opened.database.url));
    url = await service.listen();
    expect((await service.ready()).administrator).toBeNull();
    api = makeApi(url, 'admintoken');
  });

  afterAll(async () => {
    await service?.close();
    await opened?.close();
  });

  it('gets a report of what works and what will not, and is not changed by adopting and reading', async () => {
    const { findings, outcome } = await adoptDatabase(configOf(opened.database.url), false);
    expect(outcome).toBe('already-adopted');
    expect(findings.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'tables of Directus 11, 17 tables of the project',
        '3 flows, 2 active: they run as soon as this service serves the database',
        '1 user of the provider "google" cannot sign in until AUTH_PROVIDERS names it with its settings; a password is not taken instead',
      ]),
    );
    for (const caller of [api, makeApi(url, editorToken), makeApi(url, null)]) {
      for (const path of [
        '/items/articles?fields=*,author.*,topics.*',
        '/users/me',
        '/files?limit=2',
        '/activity?limit=2',
        '/fields',
        '/versions',
      ])
        expect([200, 401, 403]).toContain((await caller.get(path)).status);
      await caller.graphql('{ articles { title author { name } } }');
    }
    expect(await foreign(opened)).toEqual(before);
  });

  it('goes by its own names on the wire, in metadata and in GraphQL', async () => {
    const relations = (await api.get('/relations/authors/account')).body.data;
    expect(relations).toMatchObject({ related_collection: 'directus_users', schema: { foreign_key_table: 'directus_users' } });
    expect((await api.get('/fields/directus_users/pen_name')).body.data).toMatchObject({ collection: 'directus_users', type: 'string' });
    const types = (await api.graphql('{ __type(name: "directus_users") { name } }')).body;
    expect(types.data.__type).toEqual({ name: 'directus_users' });
    const users = await api.graphql('{ users(filter: { pen_name: { _nnull: true } }) { email } }', undefined, '/graphql/system');
    expect(users.body.errors).toBeUndefined();
    expect((await api.get('/files?filter[tags][_nnull]=true&fields=tags&limit=1')).body.data[0].tags).toEqual(expect.any(Array));
  });

  it('hides the secrets and the bookkeeping of the other server from every caller', async () => {
    for (const name of ['directus_users', 'directus_sessions', 'directus_migrations', 'directus_extensions', 'service_secrets'])
      expect((await api.get(`/items/${name}`)).status).toBe(403);
    const names = (await api.get('/collections')).body.data.map(({ collection }: { collection: string }) => collection);
    expect(names).not.toContain('directus_sessions');
    expect((await api.get('/settings?fields=ai_openai_api_key')).status).toBe(403);
    const [user] = (await api.get('/users?filter[email][_eq]=editor@magazine.example.com&fields=token,password')).body.data;
    expect(user).toEqual({ token: '**********', password: '**********' });
  });

  it('lets people sign in with their passwords, in any case of their address, their tokens and their second factor', async () => {
    const anyone = makeApi(url, null);
    const login = (email: string, password: string, otp?: string) => anyone.post('/auth/login', { email, password, otp });
    expect((await login('editor@magazine.example.com', 'Editor-Pass-1')).status).toBe(200);
    expect((await login('section@magazine.example.com', 'Section-Pass-1')).status).toBe(200);
    expect((await login('gone@magazine.example.com', 'Gone-Pass-1')).status).toBe(401);
    expect((await login('careful@magazine.example.com', 'Careful-Pass-1')).status).toBe(401);
    const code = authenticator.generate(secondFactor);
    expect((await login('careful@magazine.example.com', 'Careful-Pass-1', code)).status).toBe(200);
    expect((await login('careful@magazine.example.com', 'Careful-Pass-1', code)).status).toBe(401);
    expect((await makeApi(url, 'ADMINTOKEN').get('/users/me')).status).toBe(401);
  });

  it('takes no second account whose address differs by its case only', async () => {
    const taken = { email: 'section@magazine.example.com' };
    const refused = await api.post('/users', taken);
    expect([refused.status, refused.body.errors[0].extensions]).toMatchObject([400, { code: 'RECORD_NOT_UNIQUE', field: 'email' }]);
    const [{ id }] = (await api.get('/users?filter[first_name][_eq]=Sven&fields=id')).body.data;
    const [{ id: other }] = (await api.get('/users?filter[first_name][_eq]=Edda&fields=id')).body.data;
    expect((await api.patch(`/users/${other}`, taken)).status).toBe(400);
    expect((await api.patch(`/users/${id}`, { email: 'Section@Magazine.example.com' })).status).toBe(200);
  });

  it('keeps its foreign keys and its history', async () => {
    const made = await api.post('/users', { email: 'new@magazine.example.com', token: 'a-token-of-the-new-one' });
    const { id } = made.body.data;
    const author = (await api.post('/items/authors', { name: 'New', account: id })).body.data;
    expect(author.account).toBe(id);
    expect((await makeApi(url, 'a-token-of-the-new-one').get('/users/me')).body.data.id).toBe(id);
    expect((await api.delete(`/users/${id}`)).status).toBe(204);
    expect((await api.get(`/items/authors/${author.id}`)).body.data.account).toBeNull();
    const [{ timestamp }] = (await api.get('/activity?sort=-id&limit=1&fields=timestamp')).body.data;
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    const history = (await api.get(`/revisions?filter[item][_eq]=${id}&fields=collection,activity.action&sort=id`)).body.data;
    expect(history).toContainEqual({ collection: 'directus_users', activity: { action: 'create' } });
    // The item occurs again in what it contains.
    const nested = await api.post('/items/articles', { title: 'Nested', status: 'draft', author: { name: 'Inner' }, topics: [] });
    expect(nested.status).toBe(200);
    const { id: article, author: inner } = nested.body.data;
    const again = { author: { id: inner, name: 'Inner again', articles: { update: [{ id: article, lead: 'Round' }] } } };
    expect((await api.patch(`/items/articles/${article}`, again)).status).toBe(200);
    const parents = await api.get(`/revisions?filter[item][_eq]=${inner}&filter[collection][_eq]=authors&fields=parent.item&sort=id`);
    expect(parents.body.data).toEqual([{ parent: { item: article } }, { parent: { item: article } }]);
  });

  it('reads versions as the other server stored them, and saves into them', async () => {
    const [version] = (await api.get('/versions?filter[key][_eq]=short')).body.data;
    const item = `/items/articles/${version.item}`;
    expect((await api.get(`${item}?version=short&fields=lead`)).body.data).toEqual({ lead: 'Shorter' });
    expect((await api.post(`/versions/${version.id}/save`, { lead: 'Shorter still' })).status).toBe(200);
    expect((await api.get(`${item}?version=short&fields=lead`)).body.data).toEqual({ lead: 'Shorter still' });
    const { mainHash } = (await api.get(`/versions/${version.id}/compare`)).body.data;
    expect((await api.post(`/versions/${version.id}/promote`, { mainHash })).status).toBe(200);
    expect((await api.get(`${item}?fields=lead`)).body.data).toEqual({ lead: 'Shorter still' });
  });

  it('is given back: tokens as they were typed, numbers that continue, and no table of the service', async () => {
    await api.patch('/users/me', { title: 'Chief of all' });
    await api.post('/users', { email: 'late@magazine.example.com', token: 'a-token-not-used-before' });
    // For an idle session MariaDB does not report what it ran, and of SQLite this process is the only user.
    if (vendor.name === 'postgres')
      await expect(releaseDatabase(configOf(opened.database.url))).rejects.toThrow('Tain is running on this database');
    if (vendor.name !== 'sqlite') await service.close();
    await releaseDatabase(configOf(opened.database.url));
    if (vendor.name === 'sqlite') {
      expect((await makeApi(url, 'a-token-not-used-before').get('/users/me')).status).toBe(503);
      await service.close();
    }
    expect((await opened.direct.tables()).filter((name) => name.startsWith('service_'))).toEqual([]);
    const titles = await opened.direct.sql("select title from directus_users where token = 'admintoken'");
    expect(titles).toEqual([{ title: 'Chief of all' }]);
    await opened.direct.sql(
      "insert into directus_revisions (activity, collection, item) select max(id), 'articles', '1' from directus_activity",
    );
    await expect(releaseDatabase(configOf(opened.database.url))).rejects.toThrow('there is nothing to release');
  });
});

describeEachVendor('an adopted version whose fields are gone', (vendor) => {
  it('is counted by the adoption, and reads, compares and is promoted without them', async () => {
    const user = project.tables.find(({ name }) => name === 'directus_versions')?.rows[0]?.['user_updated'];
    const marks = { _user: user, _date: '2026-11-16T01:06:39.461Z' };
    const delta = {
      lead: 'Kept',
      subtitle: 'gone',
      author: { id: 1, pseudonym: 'gone', ...marks },
      topics: {
        create: [{ topics_slug: { slug: 'fresh', title: 'Fresh', weight: 9 } }, { label: 'gone' }],
        update: [],
        delete: [],
        ...marks,
      },
      blocks: {
        create: [
          { collection: 'block_text', item: { heading: 'Kept', size: 1 }, sort: 90 },
          { collection: 'block_video', item: { url: 'gone' }, sort: 91 },
        ],
        update: [],
        delete: [],
      },
      ...marks,
    };
    const tables = project.tables.map((table) =>
      table.name === 'directus_versions'
        ? { ...table, rows: table.rows.map((row) => (row['key'] === 'short' ? { ...row, delta: JSON.stringify(delta) } : row)) }
        : table,
    );
    const opened = await openProject(vendor, projectScript({ ...project, tables }, vendor.name));
    const { findings } = await adoptDatabase(configOf(opened.database.url), false);
    const lost = ['subtitle', 'author.pseudonym', 'topics.topics_slug.weight', 'topics.label', 'blocks.item.size', 'blocks.item'];
    expect(findings.map(({ text }) => text)).toContain(
      `1 version with changes to fields that are gone: without these changes they are read and promoted (${lost
        .map((path) => `articles.${path}`)
        .toSorted()
        .join(', ')})`,
    );
    const service = await createService(configOf(opened.database.url));
    try {
      const api = makeApi(await service.listen(), 'admintoken');
      await service.ready();
      const [version] = (await api.get('/versions?filter[key][_eq]=short')).body.data;
      const fields = 'lead,topics.topics_slug.title,blocks.collection,blocks.item:block_text.heading';
      const read = await api.get(`/items/articles/${version.item}?version=short&fields=${fields}`);
      expect(read.status).toBe(200);
      const { lead, topics, blocks } = read.body.data;
      expect(lead).toBe('Kept');
      expect(topics.filter(({ topics_slug: topic }: { topics_slug: { title: string } | null }) => topic?.title === 'Fresh')).toHaveLength(
        1,
      );
      expect(topics).not.toContainEqual({ topics_slug: null });
      expect(blocks.at(-1)).toEqual({ collection: 'block_text', item: { heading: 'Kept' } });
      const compared = (await api.get(`/versions/${version.id}/compare`)).body.data;
      // MySQL sorts the members of a stored object.
      expect(compared.lost.toSorted()).toEqual(lost.toSorted());
      const promoted = await api.post(`/versions/${version.id}/promote`, { mainHash: compared.mainHash });
      expect(promoted.body).toEqual({ data: version.item });
      expect((await api.get(`/items/articles/${version.item}?fields=${fields}`)).body.data).toEqual(read.body.data);
    } finally {
      await service.close();
      await opened.close();
    }
  });
});

describeEachVendor('a database that cannot be adopted', (vendor) => {
  let opened: Opened;
  const refused = async (sentence: string): Promise<void> => {
    const before = await opened.direct.checksums();
    await expect(adoptDatabase(configOf(opened.database.url), false)).rejects.toThrow(sentence);
    expect(await opened.direct.checksums()).toEqual(before);
  };

  afterAll(async () => opened?.close());

  it('is refused in one line, and nothing is written', async () => {
    opened = await openProject(vendor, 'create table books (id integer primary key)');
    await refused('the database has no tables of Directus');
    await opened.close();
    opened = await openProject(vendor);
    const { direct } = opened;
    const quote = vendor.name === 'mysql' ? '`' : '"';
    const { outcome } = await adoptDatabase(configOf(opened.database.url), true);
    expect(outcome).toBe('would-adopt');
    expect((await direct.tables()).filter((name) => name.startsWith('service_'))).toEqual([]);
    if (vendor.name === 'postgres') {
      const peer = await openDirectAccess(vendor, opened.database.url);
      await peer.sql('select "id" from "directus_settings"');
      await refused('Directus is running on this database');
      await peer.close();
    }
    const ahead =
      "insert into directus_revisions (id, activity, collection, item) select 100000, max(id), 'articles', '1' from directus_activity";
    await direct.sql(ahead);
    await refused('directus_revisions has numbers up to 100000, directus_activity only up to');
    await direct.sql('delete from directus_revisions where id = 100000');
    if (vendor.name === 'sqlite' && process.platform === 'linux') {
      const open = "require('node:fs').openSync(process.argv[1]); console.log('open'); setInterval(() => {}, 1000)";
      const peer = spawn(process.execPath, ['-e', open, parseLocation(opened.database.url), 'directus', 'start']);
      try {
        await once(peer.stdout, 'data');
        await refused('Directus is running on this database');
      } finally {
        peer.kill('SIGKILL');
        await once(peer, 'close');
      }
    }
    await direct
      .sql(
        "update directus_users set email = 'Editor@magazine.example.com' where email = 'contributor@magazine.example.com'".replace(
          'Editor@',
          vendor.name === 'mysql' ? 'editor@' : 'Editor@',
        ),
      )
      .catch(() => undefined);
    if (vendor.name !== 'mysql') await refused('differ only by case (editor@magazine.example.com)');
    await direct.sql(`alter table directus_permissions rename column ${quote}action${quote} to ${quote}act${quote}`);
    await refused('directus_permissions has no column "action": a migration of Directus stopped half way');
    await direct.sql('alter table directus_policies rename to policies_of_old');
    await refused('the tables are those of Directus 10 or older');
  });
});

describe('an adoption that was killed', () => {
  describeEachVendor('half way', (vendor) => {
    it('ends the same when it is started again, and so does a release', async () => {
      const opened = await openProject(vendor);
      try {
        const config = configOf(opened.database.url);
        await adoptDatabase(config, false);
        const whole = (await opened.direct.tables()).filter((name) => name.startsWith('service_')).sort();
        // As after each step of an adoption and of a release, where every statement commits by itself.
        for (const kept of [['service_migrations'], ['service_migrations', 'service_secrets']]) {
          for (const name of whole) if (!kept.includes(name)) await opened.direct.sql(`drop table ${name}`);
          await opened.direct.sql('delete from service_migrations');
          if (kept.includes('service_secrets')) await opened.direct.sql("delete from service_secrets where name <> 'adopted'");
          await adoptDatabase(config, false);
          expect((await opened.direct.tables()).filter((name) => name.startsWith('service_')).sort()).toEqual(whole);
        }
      } finally {
        await opened.close();
      }
    });
  });
});

describeEachVendor('a snapshot that Directus wrote', (vendor) => {
  const yaml = `version: 1
directus: 11.17.4
vendor: postgres
collections:
  - collection: notes
    meta: { collection: notes, autosave_revision_interval: 5, note: Kept }
    schema: { name: notes }
fields:
  - collection: notes
    field: id
    type: integer
    meta: { collection: notes, field: id, hidden: true }
    schema: { name: id, table: notes, data_type: integer, default_value: "nextval('notes_id_seq'::regclass)", is_nullable: false, is_unique: true, is_primary_key: true, has_auto_increment: true }
  - collection: notes
    field: owner
    type: uuid
    meta: { collection: notes, field: owner, special: [m2o] }
    schema: { name: owner, table: notes, data_type: uuid, default_value: null, is_nullable: true, foreign_key_table: directus_users, foreign_key_column: id }
systemFields:
  - { collection: directus_activity, field: timestamp, schema: { is_indexed: true } }
relations:
  - collection: notes
    field: owner
    related_collection: directus_users
    meta: { many_collection: notes, many_field: owner, one_collection: directus_users, one_deselect_action: nullify }
    schema: { table: notes, column: owner, foreign_key_table: directus_users, foreign_key_column: id, on_update: NO ACTION, on_delete: SET NULL }
`;

  it('is used as it is, and what has no counterpart is reported', async () => {
    const service = await startService(vendor, { area: 'adopt' });
    try {
      const headers = { 'content-type': 'text/yaml' };
      const diff = await service.api.request('POST', '/schema/diff?mode=merge', { raw: yaml, headers });
      expect(diff.body.data.ignored).toEqual(['meta.autosave_revision_interval of notes', '1 of systemFields']);
      const form = makeForm([{ name: 'snapshot.yaml', bytes: yaml }], {});
      const sameDiff = await service.api.request('POST', '/schema/diff?mode=merge', { raw: form });
      expect(sameDiff.body.data).toEqual(diff.body.data);
      const change = makeForm([{ name: 'diff.json', bytes: JSON.stringify(diff.body.data) }], {});
      expect((await service.api.request('POST', '/schema/apply', { raw: change })).status).toBe(204);
      expect((await service.api.request('POST', '/schema/diff', { raw: makeForm([], { a: 'b' }) })).status).toBe(400);
      const { id } = (await service.api.get('/users/me')).body.data;
      const made = (await service.api.post('/items/notes?fields=id,owner.id', { owner: id })).body.data;
      expect(made).toEqual({ id: 1, owner: { id } });
      expect((await service.api.request('POST', '/schema/diff', { raw: 'a: [', headers })).status).toBe(400);
      const sized = await service.api.post('/fields/notes', { field: 'title', type: 'string', schema: { length: 40 } });
      expect(sized.body.data.schema.max_length).toBe(40);
    } finally {
      await service.stop();
    }
  });
});
