// Indexes over HTTP: made, listed and dropped on every vendor, with what rests on them kept, and consistent with fields and snapshots.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';

const dryRun = { prefer: 'dry-run' };

interface Index {
  readonly name: string;
  readonly fields: readonly string[];
  readonly unique: boolean;
  readonly backs: string | null;
  readonly definition: string | null;
}

const fixture = (vendor: string): string => {
  const text = vendor === 'mysql' ? 'varchar(200)' : 'text';
  const partial = {
    sqlite: "create index odd on shelves (label) where label <> '';",
    postgres: 'create index odd on shelves (lower(label));',
    mysql: 'create index odd on shelves (label(10));',
  }[vendor];
  return `create table shelves (id integer primary key, label ${text}, room integer, code ${text});
    ${partial}
    create table volumes (id integer primary key, shelf integer, title ${text}, year integer, foreign key (shelf) references shelves (id));
    insert into shelves values (1, 'a', 1, 'x'), (2, 'b', 1, 'y');
    insert into volumes values (1, 1, 'one', 2000), (2, 1, 'two', 2000)`;
};

describeEachVendor('indexes over HTTP', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'indexes', fixture: fixture(vendor.name) });
  });
  afterAll(() => service.stop());

  const listed = async (collection = 'volumes'): Promise<readonly Index[]> => (await service.api.get(`/indexes/${collection}`)).body.data;
  const named = async (name: string, collection = 'volumes'): Promise<Index | undefined> =>
    (await listed(collection)).find((index) => index.name === name);
  const reason = (answer: { readonly body: { readonly errors: readonly { readonly message: string }[] } }): string =>
    answer.body.errors[0]?.message ?? '';

  it('makes, reads and drops one', async () => {
    const made = await service.api.post('/indexes/volumes', { fields: ['year', 'title'] });
    const index = {
      collection: 'volumes',
      name: 'volumes_year_title_index',
      fields: ['year', 'title'],
      unique: false,
      backs: null,
      definition: null,
    };
    expect([made.status, made.body.data]).toEqual([200, index]);
    expect((await service.api.get('/indexes/volumes/volumes_year_title_index')).body.data).toEqual(index);
    expect((await service.api.get('/indexes')).body.data).toContainEqual(index);
    // A field is indexed if an index begins with it.
    expect((await service.api.get('/fields/volumes/year')).body.data.schema.is_indexed).toBe(true);
    expect(reason(await service.api.post('/indexes/volumes', { fields: ['year', 'title'] }))).toContain('has such an index already');
    expect((await service.api.delete('/indexes/volumes/volumes_year_title_index')).status).toBe(204);
    expect(await named('volumes_year_title_index')).toBeUndefined();
    expect((await service.api.get('/fields/volumes/year')).body.data.schema.is_indexed).toBe(false);
    expect((await service.api.delete('/indexes/volumes/volumes_year_title_index')).status).toBe(403);
  });

  it('previews without making or dropping anything', async () => {
    const { statements } = (await service.api.request('POST', '/indexes/volumes', { body: { fields: ['year'] }, headers: dryRun })).body
      .data;
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(/^CREATE INDEX .volumes_year_index. ON .volumes. \(.year.\)$/);
    expect(await named('volumes_year_index')).toBeUndefined();
    await service.api.post('/indexes/volumes', { fields: ['year'], name: 'by_year' });
    const dropped = await service.api.request('DELETE', '/indexes/volumes/by_year', { headers: dryRun });
    expect(dropped.body.data.statements[0]).toMatch(/^DROP INDEX .*by_year/);
    expect(await named('by_year')).toBeDefined();
    await service.api.delete('/indexes/volumes/by_year');
  });

  it('makes a unique one, unless values are there twice', async () => {
    const refused = await service.api.post('/indexes/volumes', { fields: ['year'], unique: true });
    expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([400, 'RECORD_NOT_UNIQUE']);
    expect(reason(refused)).toContain('"year"');
    expect((await service.api.post('/indexes/volumes', { fields: ['title', 'year'], unique: true })).status).toBe(200);
    expect((await service.api.post('/items/volumes', { id: 3, title: 'one', year: 2000 })).body.errors[0].extensions.code).toBe(
      'RECORD_NOT_UNIQUE',
    );
    expect((await service.api.delete('/indexes/volumes/volumes_title_year_unique_index')).status).toBe(204);
  });

  it('keeps what a key or the rule of a field rests on', async () => {
    await service.api.post('/fields/volumes', { field: 'isbn', type: 'string', schema: { is_unique: true } });
    await service.api.post('/fields/shelves', { field: 'tag', type: 'string', schema: { is_unique: true, max_length: 20 } });
    const rule = (await listed()).find(({ fields }) => fields[0] === 'isbn');
    expect(rule).toMatchObject({ unique: true, backs: 'unique_constraint' });
    const refused = await service.api.delete(`/indexes/volumes/${rule?.name}`);
    expect([refused.status, reason(refused)]).toEqual([400, expect.stringContaining('set "is_unique" of the field to false')]);
    await service.api.patch('/fields/volumes/isbn', { schema: { is_unique: false } });
    expect((await listed()).some(({ fields, unique }) => unique && fields[0] === 'isbn')).toBe(false);
    for (const { name, backs } of await listed('shelves'))
      if (backs === 'primary_key') expect((await service.api.delete(`/indexes/shelves/${name}`)).status).toBe(400);
    // MariaDB has an index for the foreign key; elsewhere one over its column may go.
    const ofKey = (await listed()).find(({ fields }) => fields[0] === 'shelf');
    if (ofKey !== undefined) {
      expect(ofKey.backs).toBe('foreign_key');
      expect(reason(await service.api.delete(`/indexes/volumes/${ofKey.name}`))).toContain('a foreign key needs it');
    }
  });

  it('lists an index of another kind as text', async () => {
    const odd = await named('odd', 'shelves');
    expect(odd?.definition).toContain('label');
    expect((await service.api.delete('/indexes/shelves/odd')).status).toBe(204);
  });

  it('takes part in a list of changes, all or none', async () => {
    const changes = [
      { change: 'create_field', collection: 'volumes', data: { field: 'price', type: 'integer' } },
      { change: 'create_index', collection: 'volumes', data: { fields: ['price', 'year'], name: 'by_price' } },
    ];
    const bad = [...changes, { change: 'delete_index', collection: 'volumes', name: 'nothing' }];
    expect((await service.api.post('/schema/changes', bad)).status).toBe(403);
    expect((await service.api.get('/fields/volumes/price')).status).toBe(403);
    const { statements } = (await service.api.request('POST', '/schema/changes', { body: changes, headers: dryRun })).body.data;
    expect(statements.at(-1)).toContain('by_price');
    expect((await service.api.post('/schema/changes', changes)).status).toBe(204);
    expect((await named('by_price'))?.fields).toEqual(['price', 'year']);
    const drop = [
      { change: 'delete_index', collection: 'volumes', name: 'by_price' },
      { change: 'delete_field', collection: 'volumes', field: 'price' },
    ];
    expect((await service.api.post('/schema/changes', drop)).status).toBe(204);
    expect(await named('by_price')).toBeUndefined();
  });

  it('is part of a snapshot', async () => {
    const { data: before } = (await service.api.get('/schema/snapshot')).body;
    await service.api.post('/indexes/volumes', { fields: ['year', 'title'], name: 'for_lists' });
    const { data: diff } = (await service.api.post('/schema/diff', before)).body;
    expect((await service.api.post('/schema/apply', diff)).status).toBe(204);
    expect(await named('for_lists')).toBeUndefined();
  });

  it('refuses what is not an index', async () => {
    const tries: readonly (readonly [unknown, string])[] = [
      [{ fields: [] }, 'fewer than 1'],
      [{ fields: 'year' }, 'has to be a list'],
      [{ fields: ['year'], unique: 'yes' }, 'true or false'],
      [{ fields: ['year'], where: 'x' }, 'means nothing here'],
      [{ fields: ['year'], name: "x'); drop table volumes; --" }, 'must begin with a letter'],
      [{ fields: ['year'], name: 'volumes' }, 'is taken'],
      [{ fields: Array.from({ length: 17 }, () => 'year') }, 'more than 16'],
    ];
    for (const [body, message] of tries) {
      const answer = await service.api.post('/indexes/volumes', body);
      expect([answer.status, reason(answer)]).toEqual([400, expect.stringContaining(message)]);
    }
    expect((await service.api.post('/indexes/service_users', { fields: ['email'] })).status).toBe(400);
    expect((await service.as(null).get('/indexes')).status).toBe(403);
    expect((await service.as(null).post('/indexes/volumes', { fields: ['year'] })).status).toBe(403);
  });
});
