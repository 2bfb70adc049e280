// Security case A30: one address, many callers. Plans, schemas, views and grants are kept between requests; whose they are must never be
// mixed up: not between users, sets of policies, addresses of the network, shares and the public, not at once and not in turns, and no
// caller's entity tag opens another one's answer.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson, makePolicy, type PermissionSpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { upload } from '../harness/upload.js';

const fixture = `
  create table articles (id integer primary key, title varchar(50), secret varchar(50), status varchar(20));
  insert into articles values (1, 'one', 's1', 'published'), (2, 'two', 's2', 'draft'), (3, 'three', 's3', 'draft'), (4, 'four', 's4', 'shown');
`;

const may = (permissions: unknown, fields: readonly string[] = ['*']): PermissionSpec => ({
  collection: 'articles',
  action: 'read',
  permissions,
  fields,
});
const drafts = { status: { _eq: 'draft' } };
const published = { status: { _eq: 'published' } };

interface Caller {
  readonly ask: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Keys of the articles they see; null: none of this collection's business. */
  readonly sees: readonly number[] | null;
}

describeEachVendor('one address, many callers', (vendor) => {
  let service: TestService;
  let callers: Readonly<Record<string, Caller>> = {};

  beforeAll(async () => {
    service = await startService(vendor, { area: 'shared', fixture, config: { trustProxy: true } });
    const role = (await service.api.post('/roles', { name: 'of shares' })).body.data.id;
    await service.api.post('/access', { role, policy: await makePolicy(service, { permissions: [may({}, ['id', 'title'])] }) });
    const holder = async (item: number): Promise<Api> => {
      const { id: share } = (await service.api.post('/shares', { collection: 'articles', item: String(item), role })).body.data;
      return service.as((await service.as(null).post('/shares/auth', { share })).body.data.access_token);
    };
    const [{ id: publicPolicy }] = (await service.api.get('/policies?filter[name][_contains]=ublic&fields=id')).body.data;
    await service.api.post('/permissions', { policy: publicPolicy, ...may({ status: { _eq: 'shown' } }, ['id']) });
    const reader = await makePerson(service, [{ permissions: [may(published, ['id', 'title'])] }]);
    const editor = await makePerson(service, [{ permissions: [may(drafts)] }]);
    const both = await makePerson(service, [{ permissions: [may(published, ['id', 'title'])] }, { permissions: [may(drafts)] }]);
    const atHome = await makePerson(service, [
      { ip_access: ['203.0.113.0/24'], permissions: [may(drafts)] },
      { permissions: [may(published, ['id', 'title'])] },
    ]);
    const app = await makePerson(service, [{ app_access: true, permissions: [may(published, ['id', 'title'])] }]);
    const as = (api: Api, sees: Caller['sees'], address = '192.0.2.1'): Caller => ({
      ask: (path, headers = {}) => api.get(path, { 'x-forwarded-for': address, ...headers }),
      sees,
    });
    callers = {
      administrator: as(service.api, [1, 2, 3, 4]),
      reader: as(reader.api, [1, 4]),
      editor: as(editor.api, [2, 3, 4]),
      'one with both policies': as(both.api, [1, 2, 3, 4]),
      'one at home': as(atHome.api, [1, 2, 3, 4], '203.0.113.9'),
      'the same one elsewhere': as(atHome.api, [1, 4], '198.51.100.9'),
      'a user of the application': as(app.api, [1, 4]),
      'one without a policy': as((await makePerson(service, [])).api, [4]),
      public: as(service.as(null), [4]),
      'holder of a share': as(await holder(1), [1]),
      'holder of another share': as(await holder(2), [2]),
    };
  });
  afterAll(() => service.stop());

  const addresses = (): readonly string[] => [
    '/items/articles?fields=id&sort=id',
    '/items/articles?sort=id',
    '/items/articles/1',
    '/items/articles/2?fields=id,title',
    '/items/articles?fields=id,secret',
    '/items/articles?limit=-1',
    '/items/articles?aggregate[count]=*',
    '/items/articles?search=o&fields=id&sort=id',
    '/items/articles?filter[title][_contains]=o&fields=id&sort=id',
    '/items/articles?export=csv&fields=id,title&sort=id',
    '/items/articles?meta=filter_count&fields=id&sort=id',
    `/graphql?query=${encodeURIComponent('{ articles(sort: ["id"]) { id } }')}`,
    `/graphql?query=${encodeURIComponent('{ articles(sort: ["id"]) { id title secret } articles_aggregated { countAll } }')}`,
    `/graphql/system?query=${encodeURIComponent('{ users_me { id } }')}`,
    '/fields/articles',
    '/collections/articles',
    '/permissions/me',
    '/permissions/me/articles/2',
    '/users/me?fields=id',
    '/server/specs/graphql',
    '/server/specs/types',
    '/server/specs/oas',
    '/server/info',
  ];

  /** Names of exports bear the moment they are made. */
  const describe = ({ status, text, headers }: Answer): string => `${status} ${headers.get('content-type')} ${headers.get('etag')} ${text}`;

  it('A30: callers who ask in turn see their own answers', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (const [name, { ask, sees }] of Object.entries(callers)) {
        const rest = (await ask('/items/articles?fields=id&sort=id')).body;
        expect([name, rest.data?.map(({ id }: { id: number }) => id)]).toEqual([name, sees]);
        const document = (await ask(`/graphql?query=${encodeURIComponent('{ articles(sort: ["id"]) { id } }')}`)).body;
        expect([name, document.data?.articles.map(({ id }: { id: number | string }) => Number(id))]).toEqual([name, sees]);
      }
    }
  });

  it('A30: callers who ask at once get what they get alone, at every address', async () => {
    for (const address of addresses()) {
      const alone = new Map<string, string>();
      for (const [name, { ask }] of Object.entries(callers)) alone.set(name, describe(await ask(address)));
      const names = [...alone.keys()];
      const asked = Array.from({ length: names.length * 3 }, (_, index) => names[(index * 7) % names.length] ?? '');
      const answers = await Promise.all(
        asked.map(async (name) => [name, describe((await callers[name]?.ask(address)) as Answer)] as const),
      );
      for (const [name, answer] of answers) expect([address, name, answer]).toEqual([address, name, alone.get(name)]);
    }
  });

  it('A30: a tag of one caller’s answer says nothing to another', async () => {
    const { id: file } = (await upload(service.api, { name: 'a.txt', bytes: 'only for administrators' })).body.data;
    for (const address of [...addresses(), `/assets/${file}`]) {
      const own = await callers['administrator']?.ask(address);
      const tag = own?.headers.get('etag') ?? null;
      if (tag === null || own === undefined) continue;
      expect([address, (await callers['administrator']?.ask(address, { 'if-none-match': tag }))?.status]).toEqual([address, 304]);
      for (const [name, { ask }] of Object.entries(callers)) {
        const [plain, tagged] = [await ask(address), await ask(address, { 'if-none-match': tag })];
        // A caller whose answer is the same may get 304.
        if (plain.text === own.text && plain.status === own.status) continue;
        expect([address, name, describe(tagged)]).toEqual([address, name, describe(plain)]);
      }
    }
  });

  it('A30: what is granted or taken away is seen at the same address at once', async () => {
    const { api, policies } = await makePerson(service, [{ permissions: [may(published)] }]);
    const keys = async () => (await api.get('/items/articles?fields=id&sort=id')).body.data.map(({ id }: { id: number }) => id);
    const documents = async () =>
      (await api.graphql('{ articles(sort: ["id"]) { id } }')).body.data.articles.map(({ id }: { id: string }) => Number(id));
    for (let round = 0; round < 3; round += 1) {
      expect([await keys(), await documents()]).toEqual([
        [1, 4],
        [1, 4],
      ]);
      const { id } = (await service.api.post('/permissions', { policy: policies[0], ...may(drafts) })).body.data;
      expect([await keys(), await documents()]).toEqual([
        [1, 2, 3, 4],
        [1, 2, 3, 4],
      ]);
      await service.api.delete(`/permissions/${id}`);
    }
  });
});
