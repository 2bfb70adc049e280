// A table without a key and a view are read; a write is refused by 403 that says why, and every description says so beforehand.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `create table entries (number integer, text varchar(50));
insert into entries values (1, 'a');
create table books (id integer primary key, title varchar(50));
insert into books values (1, 'b');
create view titles as select id, title from books;`;

const reasons = {
  entries: 'read only: it has no primary key',
  titles: 'read only: it has no primary key, since it is a view',
} as const;

describeEachVendor('a collection without a key', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'read_only', fixture });
  });
  afterAll(() => service.stop());

  it.each(Object.entries(reasons))('%s refuses writes and says why', async (collection, reason) => {
    const before = await service.checksums();
    const payload = collection === 'entries' ? { text: 'c' } : { title: 'c' };
    const answers = [
      await service.api.post(`/items/${collection}`, payload),
      await service.api.patch(`/items/${collection}/1`, payload),
      await service.api.patch(`/items/${collection}`, { query: {}, data: payload }),
      await service.api.delete(`/items/${collection}/1`),
    ];
    const error = {
      message: `Collection "${collection}" is ${reason}.`,
      extensions: { code: 'FORBIDDEN', refusal: 'read_only_collection', collection, detail: reason },
    };
    expect(answers.map(({ status, body }) => [status, body.errors])).toEqual(answers.map(() => [403, [error]]));
    expect(await service.checksums()).toEqual(before);
  });

  it.each(Object.entries(reasons))('%s is described as what it is', async (collection, reason) => {
    const described = await service.api.get(`/collections/${collection}`);
    expect(described.body.data.schema.read_only).toBe(reason);
    const sentence = `R${reason.slice(1)}.`;
    const oas = await service.api.get('/server/specs/oas');
    const schemas: Readonly<Record<string, { readonly description?: string }>> = oas.body.components.schemas;
    expect(Object.values(schemas).filter(({ description }) => description?.includes(sentence) === true)).toHaveLength(1);
    expect(Object.keys(oas.body.paths[`/items/${collection}`])).not.toContain('post');
    const type = await service.api.graphql(`{ __type(name: "${collection}") { description } }`);
    expect(type.body.data.__type.description).toBe(sentence);
    // What was read can be sent back.
    expect(
      (await service.api.patch(`/collections/${collection}`, { meta: { note: 'N' }, schema: described.body.data.schema })).status,
    ).toBe(200);
    const noted = await service.api.graphql(`{ __type(name: "${collection}") { description } }`);
    expect(noted.body.data.__type.description).toBe(`N\n\n${sentence}`);
  });

  it('does not mention it to callers who may not write', async () => {
    const { token } = await makeUser(service.api, 'reader', [{ collection: 'entries', action: 'read' }]);
    const refused = await service.as(token).post('/items/entries', { text: 'c' });
    expect([refused.status, refused.body.errors[0].message]).toEqual([403, expect.not.stringContaining('read only')]);
  });
});
