// A transaction of another program holds one row. Writes to other rows of the table need not wait for it: they find their rows by the key, and lock
// no others. A write that read the whole table to find them would wait until the other program is done.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const rows = 2000;

// SQLite locks the whole file for a writer.
const vendors = inject('vendors').filter(({ name }) => name !== 'sqlite');

describe.each(vendors)('a row that another program has locked ($name)', (vendor) => {
  let service: TestService;
  let other: DirectAccess;
  let editor: Person;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'row_locks', config: { lockTimeout: 1000, poolTimeout: 2000 } });
    const fields = [
      { field: 'name', type: 'string' },
      { field: 'owner', type: 'uuid' },
    ];
    await service.api.post('/collections', { collection: 'boxes', schema: {}, fields });
    await service.api.post('/relations', { collection: 'boxes', field: 'owner', related_collection: 'service_users' });
    editor = await makePerson(service, [
      {
        permissions: [
          { collection: 'boxes', action: 'read', permissions: { owner: { email: { _nnull: true } } } },
          { collection: 'boxes', action: 'update', permissions: { owner: { email: { _nnull: true } } } },
          { collection: 'boxes', action: 'delete', permissions: { owner: { email: { _nnull: true } } } },
        ],
      },
    ]);
    const made = Array.from({ length: rows }, (_, index) => ({ id: index + 1, name: `box ${index}`, owner: editor.id }));
    expect((await service.api.post('/items/boxes?fields=id', made)).status).toBe(200);
    other = await openDirectAccess(vendor, service.databaseUrl);
  });
  afterAll(async () => {
    await other.close();
    await service.stop();
  });

  const holding = async (key: number, act: () => Promise<void>): Promise<void> => {
    await other.sql('begin');
    try {
      await other.sql(`select id from boxes where id = ${key} for update`);
      await act();
    } finally {
      await other.sql('rollback');
    }
  };

  it.each([['an administrator'], ['somebody under a rule']])('keeps no other from %s', async (who) => {
    const api = who === 'an administrator' ? service.api : service.as(editor.token);
    const first = who === 'an administrator' ? 100 : 1000;
    const writes: Readonly<Record<string, () => Promise<Answer>>> = {
      'one item': () => api.patch(`/items/boxes/${first}`, { name: 'one' }),
      'several items, the same values': () => api.patch('/items/boxes', { keys: [first + 1, first + 2], data: { name: 'same' } }),
      'several items, different values': () =>
        api.patch('/items/boxes', [
          { id: first + 3, name: 'three' },
          { id: first + 4, name: 'four' },
        ]),
      'the removal of one': () => api.delete(`/items/boxes/${first + 5}`),
      'the removal of several': () => api.delete('/items/boxes', [first + 6, first + 7]),
    };
    await holding(first + 8, async () => {
      for (const [what, write] of Object.entries(writes)) {
        const answer = await write();
        expect([what, answer.status, answer.text]).toEqual([what, expect.toBeOneOf([200, 204]), answer.text]);
      }
      expect((await api.patch(`/items/boxes/${first + 8}`, { name: 'held' })).status, 'the row itself').toBe(503);
    });
    expect((await api.patch(`/items/boxes/${first + 8}`, { name: 'free' })).status).toBe(200);
  });
});
