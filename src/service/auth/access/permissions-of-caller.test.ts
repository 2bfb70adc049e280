import { describe, expect, it } from 'vitest';
import type { Accountability } from '../../../core/access/accountability.js';
import { allGrants, type Grants } from '../../../core/access/permission.js';
import { type Caller, makeView } from '../../../core/access/view.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import type { Collection, Schema } from '../../../core/schema/schema.js';
import type { PermissionRow } from './access-rows.js';
import { compileGrants } from './compile-grants.js';
import { permissionsOfCaller } from './permissions-of-caller.js';
import { permissionsOnItem } from './permissions-on-item.js';

const collection = (name: string): [string, Collection] => [
  name,
  {
    name,
    table: null,
    system: false,
    codeName: null,
    readOnly: false,
    readOnlyReason: null,
    singleton: false,
    primaryKey: ['id'],
    fields: new Map(),
    sortField: null,
    accountability: null,
    versioning: false,
    about: null,
    demanded: [],
    loose: new Set(),
    unused: new Map(),
    note: null,
    meta: null,
  },
];
const schema: Schema = {
  version: 1,
  collections: new Map([collection('articles'), collection('authors')]),
  relations: [],
  wire: 'tain',
  nameOf: (name) => name,
};
const nobody: Accountability = {
  user: null,
  role: null,
  roles: [],
  policies: [],
  admin: false,
  app: false,
  session: null,
  share: null,
  viewer: null,
  accessKey: null,
  ip: null,
  userAgent: null,
  origin: null,
};
const callerWith = (grants: Grants, user: string | null = 'me'): Caller => ({
  accountability: { ...nobody, user },
  view: makeView(schema, grants),
});
const grants = (...rows: readonly (Partial<PermissionRow> & Pick<PermissionRow, 'action'>)[]) =>
  compileGrants(
    rows.map((row) => ({ collection: 'articles', fields: ['*'], permissions: null, validation: null, presets: null, ...row })),
    defaultQueryLimits,
  );

describe('what a caller may do', () => {
  it('is answered for each collection with any permission', () => {
    const rule = { owner: { _eq: '$CURRENT_USER' } };
    const mine = grants(
      { action: 'read', permissions: rule, fields: ['id', 'title'] },
      { action: 'read', permissions: rule, fields: ['id', 'status'] },
      { action: 'create', presets: { status: 'draft', owner: '$CURRENT_USER', at: '$NOW', name: '$CURRENT_USER.name' } },
    );
    expect(permissionsOfCaller(callerWith(mine))).toEqual({
      articles: {
        create: {
          access: 'full',
          fields: ['*'],
          presets: { status: 'draft', owner: 'me', at: '$NOW', name: '$CURRENT_USER.name' },
        },
        read: { access: 'partial', fields: ['id', 'title', 'status'] },
        update: { access: 'none' },
        delete: { access: 'none' },
        share: { access: 'none' },
      },
    });
  });

  it('is everything for administrators and refused to the public', () => {
    expect(permissionsOfCaller(callerWith(allGrants))).toMatchObject({
      articles: { delete: { access: 'full' } },
      authors: { share: { access: 'full' } },
    });
    expect(() => permissionsOfCaller(callerWith(allGrants, null))).toThrowError(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});

describe('what a caller may do with one item', () => {
  const forbidden = () => Promise.reject(new ServiceError([{ code: 'FORBIDDEN', message: '', extensions: {} }]));

  it('follows the rule of each action, not that of reading', async () => {
    const caller = callerWith(
      grants({ action: 'read' }, { action: 'update', permissions: { owner: { _eq: 'me' } } }, { action: 'delete' }),
    );
    const asked: unknown[] = [];
    const answer = await permissionsOnItem(
      async ({ view }) => asked.push(view.grants.byCollection.get('articles')?.read?.[0]?.rule?.literals),
      caller,
      'articles',
      () => ['1'],
    );
    expect(answer).toEqual({ update: { access: true }, delete: { access: true }, share: { access: false } });
    expect(asked).toEqual([['me'], undefined]);
  });

  it('is nothing when the caller cannot reach the item', async () => {
    const caller = callerWith(grants({ action: 'update' }));
    expect(await permissionsOnItem(forbidden, caller, 'articles', () => ['1'])).toEqual({
      update: { access: false },
      delete: { access: false },
      share: { access: false },
    });
  });

  it('A23: is nothing for a hidden and for an unknown collection', async () => {
    const caller = callerWith(grants({ action: 'read' }));
    const nothing = { update: { access: false }, delete: { access: false }, share: { access: false } };
    for (const name of ['authors', 'nowhere']) expect(await permissionsOnItem(forbidden, caller, name, null)).toEqual(nothing);
  });
});
