// Security cases E02 and E08 on the running service: fields named again and again cost as much as named once or are refused before anything
// is asked of the database, and a hundred first requests after a change of the structure draw each caller's schema once.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const tables = 60;
const columns = Array.from({ length: 12 }, (_, index) => `c${index} varchar(20)`).join(', ');
const fixture = [
  'create table authors (id integer primary key, name varchar(50));',
  'create table articles (id integer primary key, title varchar(50), author integer, constraint articles_author foreign key (author) references authors (id));',
  "insert into authors values (1, 'Ann'), (2, 'Bob');",
  "insert into articles values (1, 'one', 1), (2, 'two', 2), (3, 'three', null);",
  ...Array.from(
    { length: tables },
    (_, index) =>
      `create table t${index} (id integer primary key, ${columns}, article integer, foreign key (article) references articles (id));`,
  ),
].join('\n');

const again = (times: number, text: string): string => Array.from({ length: times }, () => text).join(' ');

describeEachVendor('documents that cost little to write', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'cost', fixture });
  });
  afterAll(() => service.stop());

  it('E02: a field named again and again is read once', async () => {
    const plain = '{ articles(sort: ["id"]) { id title author { name } } }';
    const wide = `{ ${again(3, `articles(sort: ["id"]) { ${again(3, 'id title')} ${again(3, `author { ${again(3, 'name')} }`)} }`)} }`;
    const spread = `{ ${again(3, 'articles(sort: ["id"]) { ...f ...f ... on articles { ...f } }')} } fragment f on articles { id title author { name } }`;
    const answer = await service.api.graphql(plain);
    expect(answer.body.data.articles).toHaveLength(3);
    const statements = await leastStatements(service, () => service.api.graphql(plain));
    for (const document of [wide, spread]) {
      expect((await service.api.graphql(document)).text).toBe(answer.text);
      expect(await leastStatements(service, () => service.api.graphql(document))).toBe(statements);
    }
  });

  it.each([
    [
      'lists in lists',
      `{ articles { ${again(40, `author { articles { ${again(40, 'id')} } }`)} } }`,
      '{ articles { author { articles { id } } } }',
    ],
    ['a fragment', `{ ${again(60, 'articles { ...f }')} } fragment f on articles { ${again(60, 'id')} }`, '{ articles { id } }'],
  ])('E02: %s again and again cost nothing more, or are refused', async (_, document, plain) => {
    const { status, text } = await service.api.graphql(document);
    if (status === 400) return;
    expect(text).toBe((await service.api.graphql(plain)).text);
    const statements = await leastStatements(service, () => service.api.graphql(plain));
    expect(await leastStatements(service, () => service.api.graphql(document))).toBe(statements);
  });

  it('E02: a change named again and again is made once', async () => {
    const made = await service.api.graphql(`mutation { ${again(20, 'create_authors_item(data: {id: 9, name: "Once"}) { id }')} }`);
    expect(made.body).toEqual({ data: { create_authors_item: { id: '9' } } });
    expect((await service.api.get('/activity?filter[collection][_eq]=authors&aggregate[count]=*')).body.data[0].count).toBe(1);
  });

  it('E02: so often that comparing would cost is refused at once, and nothing is asked of the database', async () => {
    const person = await makePerson(service, [{ permissions: [{ collection: 'articles', action: 'read' }] }]);
    const documents = [`{ ${again(200, `articles { ${again(200, 'id')} }`)} }`, `{ ${again(60, `articles { ${again(60, 'id')} }`)} }`];
    for (const api of [service.api, person.api, service.as(null)]) {
      for (const document of documents) {
        const statements = await leastStatements(service, async () => {
          const { status, body } = await api.graphql(document);
          expect([status, body.errors[0].extensions.code]).toEqual([400, expect.stringMatching(/^(INVALID_QUERY|GRAPHQL_VALIDATION)$/)]);
        });
        expect(statements).toBe(0);
      }
    }
  });

  it('E08: a hundred first requests after a change draw the schema once for each caller', async () => {
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        makePerson(service, [
          {
            permissions: [
              { collection: 'articles', action: 'read' },
              { collection: `t${index}`, action: 'read' },
            ],
          },
        ]),
      ),
    );
    const callers: readonly Api[] = [service.api, ...people.map(({ api }) => api)];
    // Documents of their own, so that none is known already; introspection visits every type.
    const documents = (round: string, index: number): string =>
      index % 25 === 0
        ? `{ __schema { types { name fields { name type { name } args { name type { name } } } inputFields { name type { name } } } } }`
        : `query ${round}${index} { articles(filter: {title: {_neq: "${round}${index}"}}, sort: ["id"]) { id } }`;
    const ask = async (round: string, index: number): Promise<void> => {
      const { status, body } = (await callers[index % callers.length]?.graphql(documents(round, index))) ?? { status: 0, body: {} };
      expect([index, status, body.errors]).toEqual([index, 200, undefined]);
    };
    const change = (field: string) => service.api.post('/fields/articles', { field, type: 'integer' });
    const spent = async (work: () => Promise<unknown>): Promise<number> => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const all = (round: string): Promise<unknown> => Promise.all(Array.from({ length: 100 }, (_, index) => ask(round, index)));
    await all('warm');
    const known = await spent(() => all('known'));
    await change('fresh_1');
    const one = await spent(async () => {
      for (const index of callers.keys()) await ask('first', index);
    });
    await change('fresh_2');
    const memory = process.memoryUsage().heapUsed;
    const many = await spent(() => all('all'));
    // A hundred drawings would cost twenty times as much as the five of `one`.
    expect(many).toBeLessThan(known * 2 + one * 5);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(300 * 1024 * 1024);
    expect((await service.api.graphql('{ articles { fresh_1 fresh_2 } }')).body.data.articles).toHaveLength(3);
  });
});
