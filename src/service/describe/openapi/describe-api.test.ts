import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import type { Permission } from '../../../core/access/permission.js';
import { allGrants, noGrants } from '../../../core/access/permission.js';
import { makeView, type SchemaView, serviceCaller } from '../../../core/access/view.js';
import { restTable } from '../../../doors/rest/operations/rest-table.js';
import type { RuleCaller } from '../../operations/open-rule.js';
import { describeApi } from './describe-api.js';

const facts = { title: 'Newsroom', url: 'http://localhost', routes: restTable };

interface Drawn {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object; readonly required?: readonly string[] }>>;
  };
}

const { accountability } = serviceCaller(newsroomSchema);
const callerOf = (view: SchemaView, isUser = true): RuleCaller => ({
  view,
  accountability: { ...accountability, user: isUser ? 'somebody' : null, admin: view.grants.admin },
  registration: false,
});
const draw = (view: SchemaView, isUser = true): Drawn => describeApi(callerOf(view, isUser), facts) as unknown as Drawn;

const granting = (...permissions: readonly Pick<Permission, 'collection' | 'action' | 'fields'>[]): SchemaView => {
  const byCollection = new Map<string, Record<string, readonly Permission[]>>();
  for (const { collection, action, fields } of permissions) {
    const permission: Permission = { collection, action, fields, rule: null, validation: null, presets: null };
    byCollection.set(collection, { ...byCollection.get(collection), [action]: [permission] });
  }
  return makeView(newsroomSchema, { key: 'some', admin: false, byCollection });
};

describe('the description of the API', () => {
  it('holds everything for an administrator', () => {
    const { paths, components } = draw(makeView(newsroomSchema, allGrants));
    expect(Object.keys(paths)).toContain('/items/articles/{id}');
    expect(Object.keys(paths['/items/articles'] ?? {})).toEqual(['get', 'x-additionalOperations', 'post', 'patch', 'delete']);
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Error', 'ItemsArticles', 'ItemsArticles.create', 'ItemsArticles.update']),
    );
  });

  it('A34: contains nothing of the data for a caller without rights', () => {
    const { paths, components } = draw(makeView(newsroomSchema, noGrants), false);
    expect(Object.keys(paths).filter((path) => !/^\/(?:auth|server|graphql|shares)\b/.test(path))).toEqual([
      '/utils/resolve-redirect',
      '/users/register/verify-email',
      '/users/invite/accept',
      '/policies/me/globals',
      '/utils/random/string',
      '/flows/trigger/{id}',
    ]);
    expect(Object.keys(components.schemas)).toEqual(['Error']);
  });

  it('A34: names only the operations and fields that are granted', () => {
    const { paths, components } = draw(
      granting(
        { collection: 'articles', action: 'read', fields: new Set(['id', 'title', 'author']) },
        { collection: 'articles', action: 'create', fields: new Set(['title']) },
        { collection: 'tags', action: 'create', fields: '*' },
      ),
    );
    expect(Object.keys(paths['/items/articles'] ?? {})).toEqual(['get', 'x-additionalOperations', 'post']);
    expect(Object.keys(paths['/items/articles/{id}'] ?? {})).toEqual(['parameters', 'get']);
    expect(Object.keys(paths['/items/tags'] ?? {})).toEqual(['post']);
    expect(Object.keys(components.schemas['ItemsArticles']?.properties ?? {})).toEqual(['id', 'title', 'author']);
    expect(Object.keys(components.schemas['ItemsArticles.create']?.properties ?? {})).toEqual(['title']);
    expect(JSON.stringify({ paths, components })).not.toMatch(/ItemsAuthors|ItemsTeams/);
    expect(paths['/utils/import/{collection}']?.['parameters']).toMatchObject([{ schema: { enum: ['articles', 'tags'] } }]);
    expect(paths['/utils/sort/{collection}']).toBeUndefined();
  });

  it('points only at what it holds, and names every operation once', () => {
    const document = describeApi(callerOf(makeView(newsroomSchema, allGrants)), facts) as Readonly<Record<string, unknown>>;
    const text = JSON.stringify(document);
    for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path.split('/').reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], document);
      expect([path, typeof target]).toEqual([path, 'object']);
    }
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
