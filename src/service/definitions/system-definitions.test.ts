import { describe, expect, it } from 'vitest';
import { column, foreignKey, table } from '../../../test/fixtures/raw-facts.js';
import { buildSchema } from '../../core/schema/build/build-schema.js';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { Field, Metadata, Schema } from '../../core/schema/schema.js';
import { ownHome } from '../../core/schema/system-home.js';
import { systemDefinitions } from './system-definitions.js';

const noMetadata: Metadata = { collections: [], fields: [], relations: [] };

function field(schema: Schema, collection: string, name: string): Field {
  const found = schema.collections.get(collection)?.fields.get(name);
  if (!found) throw new Error(`no field ${collection}.${name}`);
  return found;
}

const relation = (schema: Schema, collection: string, name: string): unknown => {
  const found = field(schema, collection, name);
  return found.kind === 'presentation' ? null : found.relation;
};

const fieldNames = (schema: Schema, collection: string): readonly string[] => [
  ...(schema.collections.get(collection)?.fields.keys() ?? []),
];

/** The tables that the definitions make, as introspection would read them back. */
const systemDatabase = (schema: string | null = null): RawDatabase => ({
  tables: systemDefinitions.map((definition) =>
    table(
      definition.collection,
      definition.fields.map((entry) => column(entry.field)),
      { schema, primaryKey: definition.primaryKey },
    ),
  ),
});

describe('system collections in the schema', () => {
  const schema = buildSchema(1, systemDatabase(), noMetadata, ownHome(systemDefinitions));

  it('shows the defined ones and no bookkeeping', () => {
    expect(schema.collections.get('service_users')).toMatchObject({ system: true, meta: { system: true } });
    const shown = systemDefinitions.filter((definition) => !definition.internal).map((definition) => definition.collection);
    expect([...schema.collections.keys()]).toEqual(shown);
    expect(shown).not.toContain('service_sessions');
  });

  it('takes types and flags from the definitions', () => {
    expect(field(schema, 'service_users', 'password')).toMatchObject({ type: 'hash', concealed: true, meta: { system: true } });
    expect(field(schema, 'service_users', 'token')).toMatchObject({ type: 'string', concealed: true });
    expect(field(schema, 'service_users', 'tags').type).toBe('json');
    expect(field(schema, 'service_permissions', 'fields').type).toBe('csv');
  });

  it('has no field for a hidden column', () => {
    expect(fieldNames(schema, 'service_users')).not.toContain('auth_data');
    expect(schema.collections.get('service_users')?.table?.columns.map((entry) => entry.name)).not.toContain('tfa_last_step');
  });

  it.each([
    ['service_users', 'policies', 'service_access', 'policy'],
    ['service_roles', 'policies', 'service_access', 'policy'],
    ['service_roles', 'users', 'service_users', null],
    ['service_roles', 'children', 'service_roles', null],
    ['service_policies', 'permissions', 'service_permissions', null],
    ['service_policies', 'users', 'service_access', 'user'],
    ['service_policies', 'roles', 'service_access', 'role'],
    ['service_flows', 'operations', 'service_operations', null],
    ['service_dashboards', 'panels', 'service_panels', null],
    ['service_activity', 'revisions', 'service_revisions', null],
  ])('%s.%s lists %s', (collection, name, related, junctionField) => {
    expect(relation(schema, collection, name)).toMatchObject({ kind: 'o2m', related, junctionField });
  });

  it('gives them no fields because of a foreign key of the user', () => {
    const notes = table('notes', ['id', 'owner'], { foreignKeys: [foreignKey('owner', 'service_users')] });
    const mixed = buildSchema(1, { tables: [...systemDatabase().tables, notes] }, noMetadata, ownHome(systemDefinitions));
    expect(relation(mixed, 'notes', 'owner')).toMatchObject({ related: 'service_users' });
    expect(fieldNames(mixed, 'service_users')).toEqual(fieldNames(schema, 'service_users'));
  });

  it('lets metadata add fields to them, and change none', () => {
    const notes = table('notes', ['id', 'owner']);
    const metadata: Metadata = {
      collections: [{ collection: 'service_users', singleton: true }],
      fields: [
        { id: 1, collection: 'service_users', field: 'notes', special: ['o2m'] },
        { id: 2, collection: 'service_users', field: 'password', special: [] },
      ],
      relations: [{ id: 1, many_collection: 'notes', many_field: 'owner', one_collection: 'service_users', one_field: 'notes' }],
    };
    const mixed = buildSchema(1, { tables: [...systemDatabase().tables, notes] }, metadata, ownHome(systemDefinitions));
    expect(mixed.collections.get('service_users')?.singleton).toBe(false);
    expect(field(mixed, 'service_users', 'password')).toMatchObject({ concealed: true });
    expect(relation(mixed, 'service_users', 'notes')).toMatchObject({ related: 'notes' });
  });

  it('finds them in a schema of their own, under the same names', () => {
    const notes = table('notes', ['id', 'owner'], { foreignKeys: [foreignKey('owner', 'service_users', { foreignSchema: 'tain' })] });
    const apart = buildSchema(1, { tables: [...systemDatabase('tain').tables, notes] }, noMetadata, ownHome(systemDefinitions, 'tain'));
    expect(apart.collections.get('service_users')).toMatchObject({ system: true });
    expect(relation(apart, 'notes', 'owner')).toMatchObject({ related: 'service_users' });
    expect([...apart.collections.keys()].filter((name) => name.startsWith('tain.'))).toEqual([]);
  });
});
