// The newsroom fixture in a new database: tables created by the vendor's DDL, the schema read back, a reader and a writer.

import { type Action, type Grants, noGrants, type Permission } from '../../src/core/access/permission.js';
import { type Caller, makeView, serviceCaller } from '../../src/core/access/view.js';
import { Reader } from '../../src/core/engine/read/reader.js';
import { openDynamics } from '../../src/core/engine/work/dynamics.js';
import { Hooks } from '../../src/core/engine/write/hooks.js';
import { Writer } from '../../src/core/engine/write/writer.js';
import { parseRule } from '../../src/core/query/parse/parse-rule.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { buildSchema } from '../../src/core/schema/build/build-schema.js';
import type { Schema } from '../../src/core/schema/schema.js';
import { ownHome } from '../../src/core/schema/system-home.js';
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
  /** A caller with these permissions. */
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
  const schema = buildSchema(1, raw, newsroomMetadata, ownHome([]));
  const hooks = new Hooks();
  const dynamics = openDynamics({ read: async () => new Map(), check: () => undefined }, () => new Date());
  const { driver } = dialect;
  const reader = new Reader({ dialect, limits: defaultQueryLimits, dynamics, seal: createSeal('a test', 'cursor') });
  const writer = new Writer({
    dialect,
    limits: defaultQueryLimits,
    dynamics,
    hooks,
    transforms: { hash: async (plain) => `hashed ${plain}` },
    now: () => new Date(),
    lockExclusively: async () => undefined,
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
