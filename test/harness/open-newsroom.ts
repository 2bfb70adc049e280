// The newsroom in a database of its own: its tables made by the vendor's DDL, its schema read back, an engine around them.

import { type Action, type Grants, noGrants, type Permission } from '../../src/core/access/permission.js';
import { type Caller, makeView, serviceCaller } from '../../src/core/access/view.js';
import { openDynamics } from '../../src/core/engine/dynamics.js';
import { Hooks } from '../../src/core/engine/hooks.js';
import { Reader } from '../../src/core/engine/reader.js';
import { Writer } from '../../src/core/engine/writer.js';
import { parseRule } from '../../src/core/query/parse-rule.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { buildSchema } from '../../src/core/schema/build-schema.js';
import type { Schema } from '../../src/core/schema/schema.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { createSeal } from '../../src/service/secrets/seal.js';
import { newsroomMetadata, newsroomTables } from '../fixtures/newsroom-schema.js';
import { createTables } from './create-tables.js';
import { openDialect } from './open-dialect.js';
import { createDatabase, type Vendor } from './vendors.js';

export interface Newsroom {
  readonly dialect: Dialect;
  readonly schema: Schema;
  readonly hooks: Hooks;
  readonly reader: Reader;
  readonly writer: Writer;
  readonly admin: Caller;
  /** A caller who may do what these permissions say. */
  caller(permissions: readonly PermissionInput[]): Caller;
  /** Every row of every table, as text. */
  contents(): Promise<string>;
  close(): Promise<void>;
}

interface PermissionInput {
  readonly collection: string;
  readonly action: Action;
  readonly fields?: readonly string[];
  readonly rule?: unknown;
}

export async function openNewsroom(vendor: Vendor): Promise<Newsroom> {
  const database = await createDatabase(vendor, 'writing');
  const dialect = await openDialect(vendor.name, database.url);
  await createTables(dialect, newsroomTables);
  const raw = await dialect.introspect(dialect.driver);
  const schema = buildSchema(1, raw, newsroomMetadata, []);
  const hooks = new Hooks();
  const resolveFor = openDynamics(
    async () => new Map(),
    () => new Date(),
  );
  const { driver, syntax } = dialect;
  const reader = new Reader({ driver, syntax, limits: defaultQueryLimits, resolveFor, seal: createSeal('a test', 'cursor') });
  const writer = new Writer({
    dialect,
    limits: defaultQueryLimits,
    resolveFor,
    hooks,
    transforms: { hash: async (plain) => `hashed ${plain}` },
    now: () => new Date(),
    holdOthers: async () => undefined,
    onEffectError: (error) => {
      throw error;
    },
  });
  const admin = serviceCaller(schema);
  return {
    dialect,
    schema,
    hooks,
    reader,
    writer,
    admin,
    caller: (permissions) => callerWith(schema, permissions),
    contents: async () => {
      const work = { caller: admin, connection: driver, signal: null, afterCommit: null };
      const names = newsroomTables.map((table) => table.name);
      const all = await Promise.all(names.map(async (name) => [name, await reader.objects(work, name, { fields: ['*'], limit: -1 })]));
      return JSON.stringify(all);
    },
    close: async () => {
      await driver.close();
      await database.drop();
    },
  };
}

function callerWith(schema: Schema, permissions: readonly PermissionInput[]): Caller {
  const byCollection = new Map<string, Partial<Record<Action, Permission[]>>>();
  for (const { collection, action, fields, rule } of permissions) {
    const actions = byCollection.get(collection) ?? {};
    byCollection.set(collection, actions);
    const permission: Permission = {
      collection,
      action,
      fields: fields === undefined ? '*' : new Set(fields),
      rule: rule === undefined ? null : parseRule(rule, 'rule', defaultQueryLimits),
      validation: null,
      presets: null,
    };
    actions[action] = [...(actions[action] ?? []), permission];
  }
  const grants: Grants = { ...noGrants, key: JSON.stringify(permissions), byCollection };
  return { view: makeView(schema, grants), accountability: { ...serviceCaller(schema).accountability, admin: false } };
}
